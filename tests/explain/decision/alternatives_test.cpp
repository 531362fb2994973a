#include "cax/explain/alternatives.hpp"

#include "cax/problems/questions.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

class PricedAlternatives : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        auto made = make_policy(test::random_policy(info().name, 16, 1, 7), {.threads = 1});
        ASSERT_TRUE(made) << made.error().message;
        policy_ = *std::move(made);
        Rng rng(3);
        std::vector<InstancePtr> const instances{*GetParam()->generate(routing() ? "15" : "4x3", {}, rng)};
        auto episodes = rollout(*policy_, instances);
        ASSERT_TRUE(episodes) << episodes.error().message;
        episode_ = episodes->front();
    }
    [[nodiscard]] ProblemInfo const& info() const { return GetParam()->info(); }
    [[nodiscard]] bool routing() const { return info().size_hint == "N"; }
    [[nodiscard]] std::vector<Alternatives> priced(PricingOptions const& options) const {
        auto result = alternatives(*policy_, episode_, options);
        EXPECT_TRUE(result) << result.error().message;
        return *result;
    }
    [[nodiscard]] bool not_worse(double a, double b) const {
        double const slip = 1e-9 * (1 + std::fabs(b));
        return info().objective == Objective::minimise ? a <= b + slip : a >= b - slip;
    }
    PricingOptions const small_{.search_work = 100, .solver_work = 100};
    std::unique_ptr<Policy> policy_;
    Episode episode_;
};

TEST_P(PricedAlternatives, SayOfEveryActionWhetherItIsAllowedAndWhyNot) {
    auto const results = priced({.mode = PricingMode::policy, .actions = 1});
    ASSERT_EQ(results.size(), episode_.decisions.size());
    for (std::size_t step = 0; step < results.size(); ++step) {
        Decision const& decision = episode_.decisions[step];
        double total = 0;
        for (std::size_t a = 0; a < results[step].all.size(); ++a) {
            Alternative const& each = results[step].all[a];
            EXPECT_EQ(each.action, a);
            EXPECT_EQ(each.allowed, decision.state->action_mask()[a] != 0);
            total += each.probability;
            if (each.allowed) {
                EXPECT_FALSE(each.forbidden_by || each.spent);
            } else {
                EXPECT_EQ(each.status, CostStatus::unpriced);
            }
            if (each.forbidden_by) {
                EXPECT_LT(each.forbidden_by->slack, 0);
            }
        }
        EXPECT_NEAR(total, 1, 1e-5);
        EXPECT_EQ(results[step].reading_order().front(), decision.action);
    }
}

TEST_P(PricedAlternatives, CostWhatTheirSolutionsCost) {
    auto const results = priced(small_);
    auto const actions = episode_.actions();
    for (std::size_t step = 0; step < results.size(); ++step) {
        for (Alternative const& each : results[step].all) {
            EXPECT_EQ(each.cost.has_value(), each.status != CostStatus::unpriced);
            if (!each.cost) continue;
            ASSERT_TRUE(each.solution);
            Question question{.prefix = {actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(step)},
                              .bound = {}};
            question.prefix.push_back(each.action);
            CheckReport const report = check_answer(*episode_.instance, *each.solution, question);
            EXPECT_TRUE(report.valid()) << report.violations.front();
            EXPECT_NEAR(report.cost, *each.cost, 1e-9 * (1 + report.cost));
            if (each.policy_cost) {
                EXPECT_TRUE(not_worse(*each.cost, *each.policy_cost));
            }
            if (each.bound) {
                EXPECT_TRUE(not_worse(*each.bound, *each.cost));
            }
            if (each.regret) {
                EXPECT_EQ(each.status, CostStatus::proved);
                EXPECT_GE(*each.regret, 0);
                EXPECT_TRUE(not_worse(*results[step].best_cost, *each.cost));
            }
        }
    }
}

TEST_P(PricedAlternatives, PriceTheChosenOneTheRunnerUpAndTheMostProbableFirst) {
    PricingOptions options = small_;
    options.actions = 2;
    for (Alternatives const& result : priced(options)) {
        auto const order = result.reading_order();
        for (std::size_t k = 0; k < order.size(); ++k) {
            Alternative const& each = result.all[order[k]];
            // Where rules may be broken on the way, nothing may be left that could be priced.
            if (k < 2 && each.allowed && !each.impossible && !info().may_be_unsolvable) {
                EXPECT_NE(each.status, CostStatus::unpriced);
            }
            if (k >= 2) {
                EXPECT_TRUE(each.status == CostStatus::unpriced || each.status == CostStatus::proved);
            }
        }
    }
}

TEST_P(PricedAlternatives, OfTheStepBeforeAreNeverForgotten) {
    if (!routing()) GTEST_SKIP() << "a schedule may leave a machine idle where no action does";
    auto const results = priced(small_);
    for (std::size_t step = 1; step < results.size(); ++step) {
        if (!results[step].all[results[step].chosen].cost) continue; // a dead end
        double best = *results[step].all[results[step].chosen].cost;
        for (Alternative const& each : results[step].all) {
            if (each.cost && not_worse(*each.cost, best)) best = *each.cost;
        }
        Alternative const& before = results[step - 1].all[results[step - 1].chosen];
        // The action that the best known plan takes next may be one that nobody priced.
        bool const next_was_priced = std::ranges::all_of(
            results[step].all, [](Alternative const& each) { return !each.allowed || each.cost.has_value(); });
        if (next_was_priced && before.status == CostStatus::proved) {
            EXPECT_NEAR(best, *before.cost, 1e-6 * (1 + best));
        }
    }
}

TEST_P(PricedAlternatives, ByThePolicyAloneAreItsOwnEpisodes) {
    auto const results = priced({.mode = PricingMode::policy, .actions = 100});
    for (std::size_t step = 0; step < results.size(); ++step) {
        Alternative const& chosen = results[step].all[results[step].chosen];
        if (!episode_.instance->check(*episode_.instance->solution_of(episode_.actions())).valid()) {
            EXPECT_EQ(chosen.status, CostStatus::unpriced); // what breaks rules has no price
            continue;
        }
        ASSERT_EQ(chosen.status, CostStatus::policy);
        EXPECT_EQ(chosen.cost, chosen.policy_cost);
        EXPECT_FALSE(results[step].best_cost);
        if (routing()) { // its encoder reads nothing that changes on the way
            EXPECT_EQ(*chosen.cost, *results.front().all[results.front().chosen].cost);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Problems, PricedAlternatives, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
