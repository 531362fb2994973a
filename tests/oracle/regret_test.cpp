#include "cax/oracle/regret.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/registry.hpp"
#include "small_fleets.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

/// The least cost (negated where it is maximised) of all episodes from here on that are solutions.
std::optional<double> best_of_all(State const& state, double sign, std::vector<std::size_t>& actions) {
    Instance const& instance = state.instance();
    if (state.done()) {
        CheckReport const report = instance.check(*instance.solution_of(actions));
        return report.valid() ? std::optional(sign * report.cost) : std::nullopt;
    }
    std::optional<double> best;
    for (std::size_t a = 0; a < state.action_mask().size(); ++a) {
        if (state.action_mask()[a] == 0) continue;
        StatePtr const next = state.clone();
        next->step(a);
        actions.push_back(a);
        auto const cost = best_of_all(*next, sign, actions);
        actions.pop_back();
        if (cost && (!best || *cost < *best)) best = cost;
    }
    return best;
}

double value_by_definition(InstancePtr const& instance, std::span<std::size_t const> prefix, double sign) {
    StatePtr const state = instance->reset();
    std::vector<std::size_t> actions;
    for (std::size_t const action : prefix) {
        state->step(action);
        actions.push_back(action);
    }
    return *best_of_all(*state, sign, actions);
}

class Regrets : public testing::TestWithParam<Problem const*> {
protected:
    [[nodiscard]] ProblemInfo const& info() const { return GetParam()->info(); }
    [[nodiscard]] double sign() const { return info().objective == Objective::minimise ? 1 : -1; }
    [[nodiscard]] bool schedules() const { return info().size_hint != "N"; }
    [[nodiscard]] std::string small_size() const {
        return schedules() ? "2x2" : info().objective == Objective::maximise ? "7" : "5";
    }
    /// A random episode that is a solution.
    [[nodiscard]] std::vector<std::size_t> random_plan(InstancePtr const& instance, Rng& rng) const {
        for (int attempt = 0; attempt < 200; ++attempt) {
            auto actions = test::random_prefix(*instance, 1000, rng);
            auto const solution = instance->solution_of(actions);
            if (solution && instance->check(*solution).valid()) return actions;
        }
        SearchOptions options;
        options.iterations = 1;
        auto const found = search(*instance, options);
        if (!found) return {};
        auto const actions = actions_of(*instance, found->solution);
        return actions ? *actions : std::vector<std::size_t>{};
    }
};

TEST_P(Regrets, AreDifferencesOfTheBestOfAllPlansThatBeginSo) {
    std::size_t states = 0;
    std::size_t costly = 0;
    for (std::uint32_t seed = 0; states < 110 && seed < 400; ++seed) {
        Rng rng(seed, 21);
        auto const instance = *GetParam()->generate(small_size(), {}, rng);
        auto const actions = random_plan(instance, rng);
        if (actions.empty()) continue;
        auto const account = plan_regret(instance, actions);
        ASSERT_TRUE(account) << account.error().message;
        ASSERT_EQ(account->decisions.size(), actions.size());
        EXPECT_TRUE(account->optimal);
        EXPECT_EQ(account->proved_steps, actions.size());
        double before = value_by_definition(instance, {}, sign());
        if (!schedules()) {
            EXPECT_NEAR(sign() * account->best.cost, before, 1e-9 * (1 + std::fabs(before)));
        }
        for (DecisionRegret const& decision : account->decisions) {
            double const after = value_by_definition(instance, std::span(actions).first(decision.step + 1), sign());
            double const rounding = 1e-8 * (1 + std::fabs(after));
            EXPECT_EQ(decision.value.low, decision.value.high);
            EXPECT_EQ(decision.regret.low, decision.estimate);
            EXPECT_EQ(decision.regret.high, decision.estimate);
            EXPECT_EQ(decision.better.has_value(), decision.estimate > 0);
            if (schedules()) { // episodes never let a machine stand idle that could work; a schedule may
                EXPECT_LE(decision.value.high, after + rounding);
            } else {
                EXPECT_NEAR(sign() * decision.value.high, after, rounding);
                EXPECT_NEAR(decision.estimate, after - before, 2 * rounding);
            }
            if (decision.better) {
                ++costly;
                auto const& plan = *decision.better;
                EXPECT_TRUE(instance->check(plan.solution).valid());
                if (!schedules()) {
                    ASSERT_GT(plan.actions.size(), decision.step);
                    EXPECT_TRUE(std::equal(actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(decision.step),
                                           plan.actions.begin()));
                    EXPECT_NE(plan.actions[decision.step], decision.action);
                    EXPECT_NEAR(sign() * plan.cost, before, rounding);
                }
            }
            before = after;
            ++states;
        }
    }
    EXPECT_GE(states, 100U);
    EXPECT_GT(costly, 1U);
}

TEST_P(Regrets, AddUpToTheGapToTheLastDigitWhateverWasProved) {
    std::size_t accounts = 0;
    for (std::uint32_t seed = 0; seed < 12 && accounts < 6; ++seed) {
        Rng rng(seed, 22);
        auto const instance = *GetParam()->generate(schedules() ? "4x3" : "12", {}, rng);
        auto const actions = random_plan(instance, rng);
        if (actions.empty()) continue;
        RegretOptions options;
        if (seed % 2 == 1) { // hardly anything can be proved
            options.work = 20'000;
            options.search_work = 50;
            options.opening_work = 50;
            options.solver_work = 5;
        }
        auto const account = plan_regret(instance, actions, options);
        ASSERT_TRUE(account) << account.error().message;
        ++accounts;
        double sum = 0;
        double located = 0;
        for (DecisionRegret const& decision : account->decisions) {
            sum += decision.estimate;
            located += decision.regret.low;
            EXPECT_GE(decision.regret.low, 0);
            EXPECT_LE(decision.regret.low, decision.estimate);
            EXPECT_LE(decision.estimate, decision.regret.high);
            EXPECT_LE(decision.value.low, decision.value.high);
            if (decision.is_proved()) {
                EXPECT_EQ(decision.regret.low, decision.regret.high);
            }
        }
        EXPECT_EQ(sum, account->gap.low);
        EXPECT_EQ(sum, std::fabs(account->cost - account->best.cost));
        EXPECT_EQ(located, account->located);
        EXPECT_GE(account->gap.high, account->gap.low);
        auto const again = plan_regret(instance, actions, options);
        ASSERT_TRUE(again);
        EXPECT_EQ(again->work, account->work);
        EXPECT_EQ(again->located, account->located);
        EXPECT_EQ(again->best.solution, account->best.solution);
    }
    EXPECT_GE(accounts, 2U);
}

TEST_P(Regrets, ProvedByALongRunLieInTheIntervalsOfAShortOne) {
    std::size_t compared = 0;
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
        Rng rng(seed, 23);
        auto const instance = *GetParam()->generate(schedules() ? "4x3" : "13", {}, rng);
        auto const actions = random_plan(instance, rng);
        if (actions.empty()) continue;
        RegretOptions options;
        options.solver_work = 20'000;
        auto const proved = plan_regret(instance, actions, options);
        options.work = 3'000;
        options.solver_work = 0;
        auto const brief = plan_regret(instance, actions, options);
        ASSERT_TRUE(proved && brief);
        for (std::size_t t = 0; t < actions.size(); ++t) {
            DecisionRegret const& exact = proved->decisions[t];
            DecisionRegret const& rough = brief->decisions[t];
            if (!exact.is_proved()) continue;
            double const rounding = 1e-9 * (1 + std::fabs(proved->cost));
            EXPECT_LE(rough.regret.low, exact.estimate + rounding);
            EXPECT_GE(rough.regret.high, exact.estimate - rounding);
            EXPECT_LE(rough.value.low, exact.value.high + rounding);
            EXPECT_GE(rough.value.high, exact.value.low - rounding);
            ++compared;
        }
    }
    EXPECT_GT(compared + (info().may_be_unsolvable ? 11U : 0U), 10U);
}

TEST_P(Regrets, AreRefusedForWhatIsNoWholePlan) {
    Rng rng(3, 24);
    auto const instance = *GetParam()->generate(small_size(), {}, rng);
    EXPECT_FALSE(plan_regret(instance, std::vector<std::size_t>{}));
    EXPECT_FALSE(plan_regret(instance, std::vector<std::size_t>{9999}));
}

INSTANTIATE_TEST_SUITE_P(Problems, Regrets, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& parameter) { return std::string(parameter.param->info().name); });

TEST(Regret, OfAFleetIsTheDefinitionWhereWindowsAreMetToTheLastDigit) {
    std::size_t states = 0;
    for (char const* problem : {"cvrptw", "cvrp"}) {
        for (std::uint32_t seed = 0; seed < 40; ++seed) {
            Rng rng(seed, 25);
            auto const instance = test::small_fleet(problem, 5, rng);
            auto const actions = test::random_prefix(*instance, 1000, rng);
            auto const solution = instance->solution_of(actions);
            if (!solution || !instance->check(*solution).valid()) continue;
            auto const account = plan_regret(instance, actions);
            ASSERT_TRUE(account) << account.error().message;
            EXPECT_EQ(account->proved_steps, actions.size());
            for (DecisionRegret const& decision : account->decisions) {
                std::vector<std::size_t> const prefix(actions.begin(),
                                                      actions.begin() + static_cast<std::ptrdiff_t>(decision.step) + 1);
                EXPECT_NEAR(decision.value.high, *test::least_cost(*instance, prefix), 1e-8);
                ++states;
            }
        }
    }
    EXPECT_GT(states, 200U);
}

TEST(Regret, UnderALimitOnVehiclesCountsOnlyPlansThatKeepToIt) {
    std::size_t accounts = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        Rng rng(seed, 26);
        auto const instance = test::small_fleet("cvrp", 5, rng);
        auto const actions = test::random_prefix(*instance, 1000, rng);
        RegretOptions options;
        options.vehicles = 3;
        auto const account = plan_regret(instance, actions, options);
        auto const routes = std::get<Routes>(*instance->solution_of(actions)).routes;
        bool const keeps = std::ranges::count_if(routes, [](auto const& route) { return !route.empty(); }) <= 3;
        ASSERT_EQ(account.has_value(), keeps);
        if (!keeps) continue;
        ++accounts;
        EXPECT_TRUE(account->optimal);
        EXPECT_NEAR(account->best.cost, *test::least_cost(*instance, {}, 3), 1e-8);
    }
    EXPECT_GT(accounts, 10U);
}

} // namespace
} // namespace cax
