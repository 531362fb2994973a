#include "cax/explain/multipliers.hpp"
#include "cax/problems/exchange.hpp"

#include "cax/core/json.hpp"
#include "cax/model/linear_program.hpp"
#include "cax/problems/op/instance.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/registry.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

InstancePtr generated(std::string_view problem, std::string_view size, std::uint64_t seed = 1) {
    Rng rng(seed);
    auto instance = find_problem(problem)->generate(size, {}, rng);
    EXPECT_TRUE(instance);
    return *instance;
}

InstancePtr from_json(std::string_view problem, std::string_view text) {
    auto instance = find_problem(problem)->exchange().from_json(Json::parse(text));
    EXPECT_TRUE(instance) << instance.error().message;
    return *instance;
}

Multipliers multipliers(Instance const& instance, MultiplierOptions const& options = {}) {
    auto result = compute_multipliers(instance, options);
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : Multipliers{};
}

MultiplierOptions with(Backend backend, Aggregate aggregate = Aggregate::mean) {
    MultiplierOptions options;
    options.backend = backend;
    options.aggregate = aggregate;
    return options;
}

std::string refusal(Instance const& instance, MultiplierOptions const& options) {
    auto const result = compute_multipliers(instance, options);
    return result ? "it was accepted" : result.error().message;
}

TEST(Multipliers, AreOneForEveryFamilyOfTheProxy) {
    Multipliers const result = multipliers(*generated("cvrptw", "5"), with(Backend::proxy));
    EXPECT_EQ(*result.values(), (std::vector<double>{1, 1, 1}));
    EXPECT_FALSE(result.lp);
}

TEST(Multipliers, AggregateTheSameDualsInFourWays) {
    InstancePtr const instance = generated("op", "8");
    Multipliers const mean = multipliers(*instance, with(Backend::lp, Aggregate::mean));
    Multipliers const sum = multipliers(*instance, with(Backend::lp, Aggregate::sum));
    Multipliers const max = multipliers(*instance, with(Backend::lp, Aggregate::max));
    Multipliers const share = multipliers(*instance, with(Backend::lp, Aggregate::share));
    LinearProgram const program = *relaxation_of(*instance);
    double total_share = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        auto const rows = static_cast<double>(program.rows_of(k));
        EXPECT_NEAR(*sum.families[k].value, *mean.families[k].value * rows, 1e-12);
        EXPECT_GE(*max.families[k].value, *mean.families[k].value);
        EXPECT_LE(*max.families[k].value, *sum.families[k].value);
        EXPECT_EQ(*share.families[k].value, std::abs(share.lp->shares[k]));
        total_share += share.lp->shares[k];
    }
    // What the rows do not carry of the bound, the columns' bounds do.
    auto const solution = clp_solver().solve(program);
    ASSERT_TRUE(solution);
    double bounds = 0;
    for (std::size_t j = 0; j < program.columns(); ++j) bounds += solution->reduced_costs[j] * solution->primal[j];
    EXPECT_NEAR(total_share + bounds / solution->objective, 1, 1e-9);
    EXPECT_EQ(*mean.families[1].value, *max.families[1].value); // one budget row
}

TEST(Multipliers, CarryTheAuditOfTheirLinearProgram) {
    Multipliers const result = multipliers(*generated("cvrptw", "10"));
    ASSERT_TRUE(result.lp);
    EXPECT_EQ(result.lp->status, LpStatus::optimal);
    EXPECT_GT(result.lp->objective, 0);
    EXPECT_TRUE(result.lp->audit.within(1e-8));
}

TEST(Multipliers, OfTheLeastDualDoNotExceedThoseOfTheSimplexVertex) {
    for (char const* problem : {"cvrptw", "op"}) {
        for (Aggregate aggregate : {Aggregate::mean, Aggregate::sum}) {
            InstancePtr const instance = generated(problem, "9");
            MultiplierOptions options = with(Backend::lp, aggregate);
            Multipliers const simplex = multipliers(*instance, options);
            options.vertex = DualVertex::least;
            Multipliers const least = multipliers(*instance, options);
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_LE(*least.families[k].value, *simplex.families[k].value * (1 + 1e-9) + 1e-12);
            }
        }
    }
}

TEST(Multipliers, ComeWithTheirRangeInTheUnitsOfTheAggregate) {
    InstancePtr const instance = generated("op", "8");
    MultiplierOptions options = with(Backend::lp, Aggregate::mean);
    options.dual_range = true;
    Multipliers const mean = multipliers(*instance, options);
    options.aggregate = Aggregate::sum;
    Multipliers const sum = multipliers(*instance, options);
    ASSERT_TRUE(mean.range && sum.range);
    LinearProgram const program = *relaxation_of(*instance);
    for (std::size_t k = 0; k < 3; ++k) {
        MultiplierRange const& range = mean.range->without_redundant_rows.families[k];
        auto const rows = static_cast<double>(program.rows_of(k));
        EXPECT_NEAR(sum.range->without_redundant_rows.families[k].low, range.low * rows, 1e-9);
        EXPECT_NEAR(sum.range->without_redundant_rows.families[k].high, range.high * rows, 1e-9);
        EXPECT_NEAR(range.at_low[k], range.low, 1e-7);
        EXPECT_NEAR(range.at_high[k], range.high, 1e-7);
        EXPECT_TRUE(std::isfinite(range.high_bound));
        // The paper's rows: the simplex vertex lies inside.
        MultiplierRange const& kept = mean.range->with_redundant_rows.families[k];
        EXPECT_GE(*mean.families[k].value, kept.low - 1e-9);
        EXPECT_LE(*mean.families[k].value, kept.high + 1e-9);
    }
    EXPECT_FALSE(mean.range->with_redundant_rows.families[2].unbounded_along.empty()); // a redundant row, said by name
    EXPECT_TRUE(mean.range->without_redundant_rows.families[2].unbounded_along.empty());
}

TEST(Multipliers, HaveARangeOfShares) {
    MultiplierOptions options = with(Backend::lp, Aggregate::share);
    options.dual_range = true;
    Multipliers const result = multipliers(*generated("cvrptw", "8"), options);
    ASSERT_TRUE(result.range);
    ASSERT_EQ(result.range->without_redundant_rows.families.size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_GE(*result.families[k].value, result.range->with_redundant_rows.families[k].low - 1e-9);
        EXPECT_LE(*result.families[k].value, result.range->with_redundant_rows.families[k].high + 1e-9);
    }
}

TEST(Multipliers, HaveNoRangeOfSharesOfNothing) {
    auto const instance = op::Instance::make({.locs = {{0, 0}, {1, 0}}, .prize = {0, 0}, .max_length = 3});
    ASSERT_TRUE(instance);
    MultiplierOptions options = with(Backend::lp, Aggregate::share);
    options.dual_range = true;
    Multipliers const result = multipliers(**instance, options);
    ASSERT_TRUE(result.range);
    EXPECT_TRUE(result.range->without_redundant_rows.families.empty());
    EXPECT_EQ(result.families[0].status, FamilyStatus::no_share);
}

TEST(Multipliers, OfTheSubgradientSayWhichFamiliesAreNotDualised) {
    Multipliers const result = multipliers(*generated("op", "8"), with(Backend::subgrad));
    EXPECT_EQ(result.families[0].status, FamilyStatus::not_dualised);
    EXPECT_EQ(result.families[1].status, FamilyStatus::computed);
    EXPECT_EQ(*result.families[0].value, 0);
    EXPECT_GT(*result.families[1].value, 0);
    ASSERT_TRUE(result.ascent);
    EXPECT_GT(result.ascent->iterations, 0u);
}

TEST(Multipliers, OfThePublishedSignAreZeroAndOfTheRightSignAreNot) {
    for (auto const& [problem, size] : {std::pair{"cvrptw", "20"}, std::pair{"fjsp", "5x3"}}) {
        InstancePtr const instance = generated(problem, size);
        Multipliers const published = multipliers(*instance, with(Backend::subgrad));
        Multipliers const right = multipliers(*instance, with(Backend::lagrangian));
        double largest = 0;
        for (std::size_t k = 0; k < published.families.size(); ++k) {
            EXPECT_EQ(*published.families[k].value, 0);
            largest = std::max(largest, *right.families[k].value);
        }
        EXPECT_GT(largest, 0);
        EXPECT_GT(right.ascent->best_value, published.ascent->best_value);
    }
}

TEST(Multipliers, AreTheSameForBothSignsWhereThePublishedOneIsRight) {
    InstancePtr const instance = generated("op", "10");
    EXPECT_EQ(multipliers(*instance, with(Backend::subgrad)).values(),
              multipliers(*instance, with(Backend::lagrangian)).values());
}

TEST(Multipliers, GivenByTheCallerAreTakenAsTheyAre) {
    MultiplierOptions options = with(Backend::given);
    options.given = {1.0, {}, 0.2};
    Multipliers const result = multipliers(*generated("cvrptw", "5"), options);
    EXPECT_EQ(*result.families[0].value, 1.0);
    EXPECT_EQ(result.families[1].status, FamilyStatus::not_given);
    EXPECT_FALSE(result.families[1].value);
    EXPECT_FALSE(result.values()); // not a 0 and not a 1
}

TEST(Multipliers, RefuseValuesThatAreNoMultipliers) {
    InstancePtr const instance = generated("cvrptw", "5");
    MultiplierOptions options = with(Backend::given);
    options.given = {1.0, -2.0, 1.0};
    EXPECT_EQ(refusal(*instance, options), "lambda: time_window is -2, which is no finite number >= 0");
    options.given = {1.0};
    EXPECT_EQ(refusal(*instance, options), "lambda: 1 values for 3 families of cvrptw");
    options.given = {1.0, std::nan(""), 1.0};
    EXPECT_EQ(refusal(*instance, options), "lambda: time_window is nan, which is no finite number >= 0");
}

TEST(Multipliers, RefuseCombinationsThatMeanNothing) {
    InstancePtr const instance = generated("op", "5");
    MultiplierOptions options = with(Backend::lp, Aggregate::max);
    options.dual_range = true;
    EXPECT_EQ(refusal(*instance, options), "dual ranges are defined for mean, sum and share, not for max");
    options.dual_range = false;
    options.vertex = DualVertex::least;
    EXPECT_EQ(refusal(*instance, options), "the least dual is defined for mean and sum, not for max");
}

TEST(Multipliers, AreKnownByName) {
    EXPECT_EQ(*parse_name<Backend>("backend", "lagrangian"), Backend::lagrangian);
    EXPECT_EQ(name_of(Backend::subgrad), "subgrad");
    EXPECT_EQ(*parse_name<Aggregate>("aggregate", "share"), Aggregate::share);
    EXPECT_EQ(*parse_name<DualVertex>("dual vertex", "least"), DualVertex::least);
    auto const unknown = parse_name<Aggregate>("aggregate", "median");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message, "aggregate 'median' is not one of mean, sum, max, share");
}

TEST(GivenMultipliers, AreReadByFamily) {
    ProblemInfo const& info = find_problem("cvrptw")->info();
    auto const given = parse_given(info, "spatial=0.2,capacity=1");
    ASSERT_TRUE(given);
    EXPECT_EQ(*given, (std::vector<std::optional<double>>{1.0, {}, 0.2}));
}

TEST(GivenMultipliers, AreRefusedByName) {
    ProblemInfo const& info = find_problem("cvrptw")->info();
    auto const complaint = [&](std::string_view text) {
        auto const given = parse_given(info, text);
        return given ? "it was accepted" : given.error().message;
    };
    EXPECT_EQ(complaint("prize=1"),
              "lambda: 'prize=1' does not name one of the families capacity, time_window, spatial");
    EXPECT_EQ(complaint(""), "lambda: '' does not name one of the families capacity, time_window, spatial");
    EXPECT_EQ(complaint("capacity=1,"), "lambda: '' does not name one of the families capacity, time_window, spatial");
    EXPECT_EQ(complaint("capacity"), "lambda: capacity is '', which is no finite number >= 0");
    EXPECT_EQ(complaint("capacity=-1"), "lambda: capacity is '-1', which is no finite number >= 0");
    EXPECT_EQ(complaint("capacity=1x"), "lambda: capacity is '1x', which is no finite number >= 0");
    EXPECT_EQ(complaint("capacity=inf"), "lambda: capacity is 'inf', which is no finite number >= 0");
    EXPECT_EQ(complaint("capacity=1,capacity=2"), "lambda: capacity is given twice");
}

// Degenerate inputs: a named status or a plain number, never NaN.

void expect_plain_numbers(Multipliers const& result) {
    for (FamilyMultiplier const& family : result.families) {
        EXPECT_TRUE(!family.value || (std::isfinite(*family.value) && *family.value >= 0));
        EXPECT_EQ(family.value.has_value(),
                  family.status == FamilyStatus::computed || family.status == FamilyStatus::not_dualised);
    }
}

void expect_answers_from_every_backend(Instance const& instance) {
    for (Backend backend : {Backend::proxy, Backend::lp, Backend::subgrad, Backend::lagrangian}) {
        expect_plain_numbers(multipliers(instance, with(backend)));
    }
    for (Aggregate aggregate : {Aggregate::sum, Aggregate::max, Aggregate::share}) {
        expect_plain_numbers(multipliers(instance, with(Backend::lp, aggregate)));
    }
    MultiplierOptions options;
    options.dual_range = true;
    options.vertex = DualVertex::least;
    expect_plain_numbers(multipliers(instance, options));
}

constexpr auto one_customer = R"({"capacity": 10, "depot": {"x": 0, "y": 0, "window": [0, 100]},
    "customers": [{"x": 3, "y": 4, "demand": 5, "window": [0, 50], "service": 1}]})";
constexpr auto out_of_reach = R"({"capacity": 10, "depot": {"x": 0, "y": 0, "window": [0, 100]},
    "customers": [{"x": 3, "y": 4, "demand": 5, "window": [0, 4], "service": 1}]})";

TEST(DegenerateMultipliers, OfOneAndOfTwoCustomersAreNumbers) {
    expect_answers_from_every_backend(*from_json("cvrptw", one_customer));
    expect_answers_from_every_backend(*generated("cvrptw", "2"));
    expect_answers_from_every_backend(*generated("op", "2"));
    expect_answers_from_every_backend(*generated("op", "1"));
}

TEST(DegenerateMultipliers, OfAWindowThatNobodyReachesSayThatTheRelaxationIsInfeasible) {
    InstancePtr const instance = from_json("cvrptw", out_of_reach);
    expect_answers_from_every_backend(*instance);
    Multipliers const result = multipliers(*instance);
    ASSERT_TRUE(result.lp);
    EXPECT_EQ(result.lp->status, LpStatus::infeasible);
    for (FamilyMultiplier const& family : result.families) EXPECT_EQ(family.status, FamilyStatus::lp_not_optimal);
    EXPECT_FALSE(result.values());
}

TEST(DegenerateMultipliers, OfATourThatCannotLeaveSayThatTheRelaxationIsInfeasible) {
    InstancePtr const instance = from_json("op", R"({"max_length": 9, "depot": {"x": 0, "y": 0},
        "customers": [{"x": 3, "y": 4, "prize": 1}]})");
    EXPECT_EQ(multipliers(*instance).lp->status, LpStatus::infeasible);
    expect_answers_from_every_backend(*instance);
}

TEST(DegenerateMultipliers, WithoutPrizesAreZeroAndHaveNoShare) {
    InstancePtr const instance = from_json("op", R"({"max_length": 20, "depot": {"x": 0, "y": 0},
        "customers": [{"x": 3, "y": 4, "prize": 0}, {"x": 0, "y": 1, "prize": 0}]})");
    expect_answers_from_every_backend(*instance);
    Multipliers const mean = multipliers(*instance);
    EXPECT_EQ(mean.lp->status, LpStatus::optimal);
    for (FamilyMultiplier const& family : mean.families) EXPECT_NEAR(*family.value, 0, 1e-12);
    Multipliers const share = multipliers(*instance, with(Backend::lp, Aggregate::share));
    for (FamilyMultiplier const& family : share.families) EXPECT_EQ(family.status, FamilyStatus::no_share);
    EXPECT_FALSE(share.values());
}

TEST(DegenerateMultipliers, OfOneMachineAndOfOneOperationAreNumbers) {
    InstancePtr const machine = from_json("fjsp", R"({"machines": 1, "jobs": [[[[0, 3]], [[0, 2]]], [[[0, 4]]]]})");
    expect_answers_from_every_backend(*machine);
    EXPECT_NEAR(multipliers(*machine).lp->objective, 5, 1e-9);
    expect_answers_from_every_backend(*from_json("fjsp", R"({"machines": 1, "jobs": [[[[0, 3]]]]})"));
}

TEST(DegenerateMultipliers, OfCoordinatesBeyondAllMeasureAreNumbersOrAStatus) {
    for (char const* far : {"1e9", "1e15", "1e25", "1e30"}) {
        std::string const where(far);
        auto const instance = find_problem("cvrptw")->exchange().from_json(Json::parse(
            R"({"capacity": 10, "depot": {"x": 0, "y": 0, "window": [0, 100]}, "customers": [{"x": )" + where +
            R"(, "y": 4, "demand": 5, "window": [0, 50], "service": 1},
                {"x": 3, "y": 4, "demand": 5, "window": [0, 50], "service": 1}]})"));
        if (!instance) continue; // refused where it is read: just as well
        expect_answers_from_every_backend(**instance);
    }
}

TEST(DegenerateMultipliers, StopAtALimitByName) {
    MultiplierOptions options;
    options.limits.iterations = 1;
    Multipliers const result = multipliers(*generated("cvrptw", "10"), options);
    EXPECT_EQ(result.lp->status, LpStatus::iteration_limit);
    EXPECT_EQ(result.families[0].status, FamilyStatus::lp_not_optimal);
}

} // namespace
} // namespace cax
