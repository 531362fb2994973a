#include "cax/oracle/cost_to_go.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/registry.hpp"
#include "small_fleets.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace cax {
namespace {

class CostToGoOfFleets : public testing::TestWithParam<char const*> {};

void expect_answer(CostToGo const& answer, std::optional<double> least, Instance const& instance,
                   std::vector<std::size_t> const& prefix) {
    ASSERT_EQ(answer.impossible, !least);
    if (!least) {
        EXPECT_FALSE(answer.solution);
        return;
    }
    ASSERT_TRUE(answer.proved);
    EXPECT_NEAR(answer.cost, *least, 1e-9 * (1 + *least));
    EXPECT_EQ(answer.lower_bound, answer.cost);
    ASSERT_TRUE(answer.solution);
    CheckReport const report = check_answer(instance, *answer.solution, {.prefix = prefix, .bound = {}});
    EXPECT_TRUE(report.valid()) << report.violations.front();
    EXPECT_EQ(report.cost, answer.cost);
    if (answer.actions.empty()) return;
    EXPECT_TRUE(std::equal(prefix.begin(), prefix.end(), answer.actions.begin()));
}

TEST_P(CostToGoOfFleets, IsTheLeastOfAllPlansThatBeginSo) {
    std::size_t solved = 0;
    std::size_t with_vehicle_under_way = 0;
    for (std::uint32_t seed = 0; seed < 250; ++seed) {
        Rng rng(seed, 5);
        auto const instance = test::small_fleet(GetParam(), 4 + rng.below(3), rng);
        auto const prefix = test::random_prefix(*instance, rng.below(6), rng);
        auto const least = test::least_cost(*instance, prefix);
        CostToGoOptions options;
        options.like = prefix;
        auto const answer = cost_to_go(instance, prefix, options);
        ASSERT_TRUE(answer) << answer.error().message;
        expect_answer(*answer, least, *instance, prefix);
        if (least) ++solved;
        if (!prefix.empty() && prefix.back() != 0) ++with_vehicle_under_way;
    }
    EXPECT_GT(solved, 100U);
    EXPECT_GT(with_vehicle_under_way, 50U);
}

TEST_P(CostToGoOfFleets, KeepsToALimitOnVehicles) {
    std::size_t solved = 0;
    std::size_t impossible = 0;
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        Rng rng(seed, 6);
        auto const instance = test::small_fleet(GetParam(), 5, rng);
        auto const prefix = test::random_prefix(*instance, rng.below(4), rng);
        std::size_t const vehicles = 1 + rng.below(4);
        auto const least = test::least_cost(*instance, prefix, vehicles);
        CostToGoOptions options;
        options.vehicles = vehicles;
        options.like = prefix;
        auto const answer = cost_to_go(instance, prefix, options);
        ASSERT_TRUE(answer) << answer.error().message;
        expect_answer(*answer, least, *instance, prefix);
        if (!least) {
            ++impossible;
            continue;
        }
        ++solved;
        auto const free = cost_to_go(instance, prefix);
        ASSERT_TRUE(free) << free.error().message;
        EXPECT_LE(free->cost, answer->cost * (1 + 1e-12));
    }
    EXPECT_GT(solved, 50U);
    EXPECT_GT(impossible, 20U);
}

TEST_P(CostToGoOfFleets, IsTheSameWarmAndCold) {
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        Rng rng(seed, 7);
        auto const instance = *find_problem(GetParam())->generate("14", {}, rng);
        auto const actions = test::random_prefix(*instance, 1000, rng);
        auto warm = FleetOracle::of(instance);
        ASSERT_TRUE(warm);
        double before = 0;
        for (std::size_t t = 0; t <= actions.size(); ++t) {
            auto const prefix = std::span(actions).first(t);
            auto const a = warm->cost_to_go(prefix);
            auto const b = cost_to_go(instance, prefix);
            ASSERT_TRUE(a && b);
            ASSERT_TRUE(a->proved && b->proved);
            EXPECT_NEAR(a->cost, b->cost, 1e-9 * b->cost);
            EXPECT_GE(a->cost, before * (1 - 1e-9)); // values never fall along a plan
            before = a->cost;
        }
        EXPECT_NEAR(before, instance->check(*instance->solution_of(actions)).cost, 1e-9 * before);
    }
}

TEST_P(CostToGoOfFleets, IsAnIntervalWhereTheWorkRunsOutAndALongerRunStaysInside) {
    std::size_t open = 0;
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        Rng rng(seed, 8);
        auto const instance = *find_problem(GetParam())->generate("18", {}, rng);
        auto const actions = test::random_prefix(*instance, 1000, rng);
        std::vector<Solution> const known{*instance->solution_of(actions)};
        auto const prefix = std::span(actions).first(seed);
        CostToGoOptions options;
        options.known = known;
        auto const proved = cost_to_go(instance, prefix, options);
        ASSERT_TRUE(proved && proved->proved);
        for (std::uint64_t work : {0ULL, 30'000ULL, 300'000ULL, 1'000'000ULL, 3'000'000ULL}) {
            options.work = work;
            auto const answer = cost_to_go(instance, prefix, options);
            ASSERT_TRUE(answer);
            EXPECT_LE(answer->lower_bound, proved->cost * (1 + 1e-9));
            EXPECT_GE(answer->cost, proved->cost * (1 - 1e-9));
            EXPECT_GT(answer->lower_bound, 0);
            ASSERT_TRUE(answer->solution);
            if (!answer->proved) ++open;
            auto const again = cost_to_go(instance, prefix, options);
            EXPECT_EQ(again->work, answer->work);
            EXPECT_EQ(again->lower_bound, answer->lower_bound);
            EXPECT_EQ(again->solution, answer->solution);
        }
    }
    EXPECT_GE(open, 8U);
}

INSTANTIATE_TEST_SUITE_P(Fleets, CostToGoOfFleets, testing::Values("cvrptw", "cvrp"),
                         [](auto const& parameter) { return std::string(parameter.param); });

TEST(CostToGo, OfMoreCustomersThanSetsHoldIsASimpleBound) {
    Rng rng(1, 9);
    auto const instance = *find_problem("cvrp")->generate("70", {}, rng);
    auto const actions = test::random_prefix(*instance, 1000, rng);
    std::vector<Solution> const known{*instance->solution_of(actions)};
    CostToGoOptions options;
    options.known = known;
    auto const answer = cost_to_go(instance, {}, options);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_FALSE(answer->proved);
    EXPECT_GT(answer->lower_bound, 0);
    EXPECT_EQ(answer->cost, instance->check(known.front()).cost);
}

TEST(CostToGo, OfFewerVehiclesIsMoreWhereOneMustGoBackAndForth) {
    // Left, right, left again, each at its time: two vehicles drive 8, one drives 12.
    auto const customer = [](double x, double open, double close) {
        return Json{{"x", x}, {"y", 2}, {"demand", 1}, {"window", {open, close}}, {"service", 0}};
    };
    Json const json{{"name", "to and fro"},
                    {"capacity", 10},
                    {"depot", {{"x", 2}, {"y", 2}, {"window", {0, 30}}}},
                    {"customers", {customer(0, 0, 3), customer(4, 8, 9), customer(0, 14, 15)}}};
    auto const instance = find_problem("cvrptw")->exchange().from_json(json);
    ASSERT_TRUE(instance) << instance.error().message;
    CostToGoOptions options;
    for (auto const& [vehicles, cost] : {std::pair<std::size_t, double>{3, 8}, {2, 8}, {1, 12}}) {
        options.vehicles = vehicles;
        auto const answer = cost_to_go(*instance, {}, options);
        ASSERT_TRUE(answer && answer->proved);
        EXPECT_DOUBLE_EQ(answer->cost, cost);
    }
    options.vehicles = 0;
    EXPECT_TRUE(cost_to_go(*instance, {}, options)->impossible);
}

TEST(CostToGo, IsUnsupportedWithoutAFleetAndRefusesWhatIsNoPrefix) {
    Rng rng(1, 9);
    auto const tour = *find_problem("tsp")->generate("8", {}, rng);
    auto const none = cost_to_go(tour, {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::unsupported);
    auto const fleet = *find_problem("cvrp")->generate("10", {}, rng);
    EXPECT_FALSE(cost_to_go(fleet, std::vector<std::size_t>{3, 3}));
    EXPECT_FALSE(cost_to_go(fleet, std::vector<std::size_t>{99}));
}

} // namespace
} // namespace cax
