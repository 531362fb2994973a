#include "cax/explain/forbidden.hpp"

#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

class ForbiddenActions : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override { walk_with(7); }
    void walk_with(std::uint64_t policy_seed) {
        auto made = make_policy(test::random_policy(GetParam()->info().name, 16, 1, policy_seed),
                                {.precision = Precision::float64});
        ASSERT_TRUE(made) << made.error().message;
        policy_ = *std::move(made);
        std::vector<InstancePtr> instances;
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            Rng rng(seed);
            instances.push_back(*GetParam()->generate(GetParam()->info().size_hint == "N" ? "12" : "4x3", {}, rng));
        }
        auto episodes = rollout(*policy_, instances);
        ASSERT_TRUE(episodes) << episodes.error().message;
        walks_ = *std::move(episodes);
    }
    std::unique_ptr<Policy> policy_;
    std::vector<Episode> walks_;
};

TEST_P(ForbiddenActions, AreForbiddenByThatRuleAloneAndWouldHaveBeenChosenWithoutIt) {
    std::size_t found = 0;
    std::size_t blocked = 0; // by a rule, not because it has been visited
    for (std::uint64_t seed = 7; seed < 17 && (found == 0 || seed == 7); ++seed) {
        if (seed > 7) walk_with(seed);
        for (Episode const& each : walks_) {
            auto const actions = each.actions();
            for (Decision const& decision : each.decisions) {
                auto const before = std::span(actions).first(decision.step);
                for (std::size_t a = 0; a < decision.state->action_mask().size(); ++a) {
                    if (decision.state->action_mask()[a] != 0 || std::ranges::find(before, a) != before.end()) continue;
                    for (Slack const& slack : slacks_of(*decision.state, a)) blocked += slack.slack < 0 ? 1 : 0;
                }
                for (Forbidden const& one : forbidden(*policy_, decision, before)) {
                    ++found;
                    EXPECT_EQ(decision.state->action_mask()[one.action], 0);
                    EXPECT_LT(one.rule.slack, 0);
                    for (Slack const& slack : slacks_of(*decision.state, one.action)) {
                        EXPECT_TRUE(slack.slack >= 0 || slack.family == one.rule.family) << slack.rule;
                    }
                    EXPECT_GT(one.probability, 0);
                    EXPECT_LE(one.probability, 1);
                    EXPECT_GE(one.lifted, 1U);
                    if (GetParam()->info().size_hint == "N") { // actions are nodes there
                        EXPECT_EQ(std::ranges::find(before, one.action), before.end());
                    }
                }
            }
        }
    }
    if (GetParam()->info().size_hint == "N" && blocked > 0) {
        EXPECT_GT(found, 0U);
    }
}

TEST(ForbiddenActionsOfALookAhead, AreAllowedByTheEnvironmentAndPreferredWithoutIt) {
    Problem const& problem = *find_problem("tsptw");
    TensorFile weights = test::random_policy("tsptw", 16, 1, 7);
    weights.metadata["lookahead_mask"] = "true";
    auto const policy = make_policy(weights);
    ASSERT_TRUE(policy) << policy.error().message;
    std::size_t found = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Rng rng(seed);
        std::vector<InstancePtr> const instances{*problem.generate("12", {}, rng)};
        auto const episodes = rollout(**policy, instances);
        ASSERT_TRUE(episodes) << episodes.error().message;
        auto const actions = episodes->front().actions();
        for (Decision const& decision : episodes->front().decisions) {
            auto const second = decision.runner_up();
            EXPECT_TRUE(!second || std::isfinite(decision.log_probs[*second]));
            for (Forbidden const& one : forbidden(**policy, decision, std::span(actions).first(decision.step))) {
                EXPECT_TRUE(one.by_policy);
                EXPECT_NE(decision.state->action_mask()[one.action], 0);
                EXPECT_FALSE(std::isfinite(decision.log_probs[one.action]));
                EXPECT_LT(one.rule.slack, 0);
                ++found;
            }
        }
    }
    EXPECT_GT(found, 0U);
}

INSTANTIATE_TEST_SUITE_P(Problems, ForbiddenActions, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
