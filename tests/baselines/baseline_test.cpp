#include "all_schedules.hpp"
#include "cax/baselines/baseline.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/solutions.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/registry.hpp"
#include "data.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

SearchOptions iterations(std::uint64_t count) {
    return {.seconds = 60, .iterations = count, .seed = 1, .bound = {}, .stop = {}};
}

TEST(Baseline, ProvesTheOptimumWhereTheCostItselfCanBeBounded) {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        auto const shop = test::tiny_shop(seed, seed % 2 == 0 ? 1.0F : 0.25F);
        auto const result = find_baseline(*shop, iterations(5000));
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->cost, test::AllSchedules(*shop).best) << "seed " << seed;
        EXPECT_TRUE(result->optimal) << "seed " << seed;
        EXPECT_EQ(result->lower_bound, result->cost);
        EXPECT_TRUE(shop->check(result->solution).valid());
    }
}

TEST(Baseline, IsBetterThanTheBestDispatchingRule) {
    std::size_t improved = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        auto const shop = test::tiny_shop(seed);
        auto const start = search(*shop, iterations(0));
        auto const result = find_baseline(*shop, iterations(1000));
        ASSERT_TRUE(start && result);
        EXPECT_EQ(result->cost, test::AllSchedules(*shop).best) << "seed " << seed;
        improved += result->cost < start->cost ? 1 : 0;
        EXPECT_TRUE(!start->optimal || start->cost == result->cost);
    }
    EXPECT_GT(improved, 0U);
}

TEST(Baseline, ClaimsNoProofWhereTimesAreNotMultiplesOfOneNumber) {
    std::size_t unproven = 0;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        auto const shop = test::tiny_shop(seed, 0.3F);
        ASSERT_EQ(cost_grain_of(*shop), 0);
        auto const result = find_baseline(*shop, iterations(2000));
        ASSERT_TRUE(result);
        double const best = test::AllSchedules(*shop).best;
        EXPECT_GE(result->cost, best * (1 - 1e-9));
        EXPECT_LE(*result->lower_bound, best * (1 + 1e-9));
        unproven += result->optimal ? 0 : 1;
    }
    EXPECT_GT(unproven, 0U);
}

TEST(Baseline, ReportsABoundThatHoldsWhenItsBudgetEnds) {
    Rng rng(12);
    auto const shop = *find_problem("fjsp")->generate("10x5", {}, rng);
    auto const little = find_baseline(*shop, iterations(300));
    auto const more = find_baseline(*shop, iterations(4000));
    ASSERT_TRUE(little && more);
    EXPECT_LE(*little->lower_bound, little->cost);
    EXPECT_LE(*little->lower_bound, more->cost);
    EXPECT_LE(*more->lower_bound, little->cost);
}

class BaselineOfEveryProblem : public testing::TestWithParam<Problem const*> {
protected:
    std::vector<InstancePtr> small(std::size_t count) const {
        std::vector<InstancePtr> instances;
        for (std::size_t i = 0; i < count; ++i) {
            Rng rng(7, static_cast<std::uint32_t>(i));
            std::string const size = GetParam()->info().size_hint == "JxM" ? "5x3" : "8";
            instances.push_back(*GetParam()->generate(size, {}, rng));
        }
        return instances;
    }
};

TEST_P(BaselineOfEveryProblem, GivesTheSameResultsForAnyNumberOfThreads) {
    auto const instances = small(6);
    BaselinesOptions options{.seconds = 60, .iterations = 500, .seed = 3, .threads = 1};
    auto const one = find_baselines(instances, options);
    options.threads = 3;
    std::size_t reported = 0;
    options.progress = [&](std::size_t finished, std::size_t total) {
        EXPECT_EQ(total, 6U);
        reported = std::max(reported, finished);
    };
    auto const three = find_baselines(instances, options);
    ASSERT_TRUE(one && three);
    ASSERT_EQ(one->size(), 6U);
    EXPECT_EQ(reported, 6U);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ((*one)[i].solution, (*three)[i].solution);
        EXPECT_EQ((*one)[i].optimal, (*three)[i].optimal);
        EXPECT_EQ((*one)[i].lower_bound, (*three)[i].lower_bound);
        CheckReport const report = instances[i]->check((*one)[i].solution);
        EXPECT_TRUE(report.valid());
        EXPECT_EQ(report.cost, (*one)[i].cost);
    }
}

TEST_P(BaselineOfEveryProblem, NamesTheInstanceThatHasNoAnswer) {
    auto const instances = small(1);
    auto const result = find_baselines(instances, {.seconds = -1});
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("instance 0: seconds"), std::string::npos) << result.error().message;
}

INSTANTIATE_TEST_SUITE_P(Registry, BaselineOfEveryProblem,
                         testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& each) { return std::string(each.param->info().name); });

/// The sets kept with the tests have optimal costs that were found by others.
void expect_close(std::string const& set, BaselinesOptions const& options, double largest_mean_gap) {
    auto const file = io::read_instances(test::data_path("validation/" + set + ".npz"));
    auto const text = io::read_text(test::data_path("validation/best_known.json"));
    ASSERT_TRUE(file && text);
    auto const best = io::parse_best_known(*text, set, file->instances);
    ASSERT_TRUE(best);
    double const sign = file->problem->info().objective == Objective::minimise ? 1 : -1;
    auto const found = find_baselines(file->instances, options);
    ASSERT_TRUE(found) << found.error().message;
    double mean = 0;
    for (std::size_t i = 0; i < best->size(); ++i) {
        double const gap = sign * ((*found)[i].cost - (*best)[i].cost) / (*best)[i].cost;
        EXPECT_GE(gap, -1e-7) << set << " " << i << ": better than a proven optimum";
        EXPECT_TRUE(!(*found)[i].optimal || std::fabs(gap) < 1e-7) << set << " " << i;
        mean += gap / static_cast<double>(best->size());
    }
    EXPECT_LE(mean, largest_mean_gap) << set;
}

TEST(Baseline, IsNeverBetterThanAProvenOptimumAndNotFarFromIt) {
    expect_close("op20", {.seconds = 60}, 1e-7);
    expect_close("tsp20", {.seconds = 60}, 1e-7);
    expect_close("pctsp20", {.seconds = 60}, 1e-7);
    expect_close("cvrp20", {.seconds = 60, .iterations = 20'000}, 1e-7);
    expect_close("cvrptw50", {.seconds = 60, .iterations = 20'000}, 0.03);
    expect_close("fjsp10x5", {.seconds = 60, .iterations = 3000}, 0.1);
}

} // namespace
} // namespace cax
