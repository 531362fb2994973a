#include "cax/policies/rollout.hpp"

#include "cax/policies/decode.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

/// A tiny random policy and a few small instances of each problem.
class Rollouts : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        ProblemInfo const& info = GetParam()->info();
        auto made = make_policy(test::random_policy(info.name, 16, 1, 7), {.precision = Precision::float64});
        ASSERT_TRUE(made) << made.error().message;
        policy_ = *std::move(made);
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            Rng rng(seed);
            auto instance = GetParam()->generate(info.size_hint == "N" ? "8" : "4x3", {}, rng);
            ASSERT_TRUE(instance) << instance.error().message;
            instances_.push_back(*instance);
        }
    }
    [[nodiscard]] std::vector<Episode> rolled_out(RolloutOptions const& options = {}) const {
        auto result = rollout(*policy_, instances_, options);
        EXPECT_TRUE(result) << result.error().message;
        return result ? *result : std::vector<Episode>{};
    }

    std::unique_ptr<Policy> policy_;
    std::vector<InstancePtr> instances_;
};

TEST_P(Rollouts, FollowTheGreedyDecoderThatEncodesEveryState) {
    auto const episodes = decode(*policy_, instances_, {.state = {.encode = EncodeMode::each_step}});
    ASSERT_TRUE(episodes) << episodes.error().message;
    auto const found = rolled_out();
    ASSERT_EQ(found.size(), instances_.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].actions(), (*episodes)[i].actions);
        EXPECT_TRUE(found[i].finished);
        for (Decision const& decision : found[i].decisions) {
            EXPECT_EQ(decision.instance, i);
            EXPECT_EQ(decision.log_probs[decision.action], (*episodes)[i].log_probs[decision.step]);
        }
    }
}

TEST_P(Rollouts, TakeWhatIsGivenAndGoOnGreedily) {
    for (Episode const& free : rolled_out()) {
        std::size_t step = 0;
        while (step < free.decisions.size() && !free.decisions[step].runner_up()) ++step;
        if (step == free.decisions.size()) continue; // nothing was ever to be decided
        std::size_t const other = *free.decisions[step].runner_up();
        auto const held = rollout(*policy_, std::span(&free.instance, 1), {.forced = {{step, other}}});
        ASSERT_TRUE(held) << held.error().message;
        std::vector<Decision> const& decisions = held->front().decisions;
        for (std::size_t t = 0; t < decisions.size(); ++t) {
            if (t <= step) {
                EXPECT_EQ(decisions[t].log_probs, free.decisions[t].log_probs);
            }
            EXPECT_EQ(decisions[t].action, most_probable(decisions[t].log_probs));
            EXPECT_EQ(decisions[t].taken(), t == step ? other : decisions[t].action);
        }
        EXPECT_FALSE(rollout(*policy_, std::span(&free.instance, 1), {.forced = {{999, other}}}));
        EXPECT_FALSE(rollout(*policy_, std::span(&free.instance, 1), {.forced = {{step, 99999}}}));
    }
}

TEST_P(Rollouts, FollowTheGreedyDecoderThatEncodesOnceIfAsked) {
    auto const episodes = decode(*policy_, instances_, {});
    ASSERT_TRUE(episodes) << episodes.error().message;
    auto const found = rolled_out({.state = {.encode = EncodeMode::once}});
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].actions(), (*episodes)[i].actions);
        for (Decision const& decision : found[i].decisions) {
            EXPECT_EQ(decision.log_probs[decision.action], (*episodes)[i].log_probs[decision.step]);
            EXPECT_EQ(policy_->log_probs(std::vector{decision.state->observe()}).front(), decision.log_probs);
        }
    }
    bool differs = false; // the two ways do, where they can
    auto const each = rolled_out();
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (std::size_t t = 0; t < std::min(each[i].decisions.size(), found[i].decisions.size()); ++t) {
            differs = differs || each[i].decisions[t].log_probs != found[i].decisions[t].log_probs;
        }
    }
    EXPECT_EQ(differs, policy_->encoding_changes());
}

/// d log pi(action) / d entry, by central differences.
double slope(Policy const& policy, Decision const& decision, Features features, std::size_t tensor, std::size_t entry) {
    constexpr double h = 1e-4;
    double& value = features[tensor].values[entry];
    double const before = value;
    std::vector<Observation> around;
    for (double const by : {h, -h}) {
        value = before + by;
        around.push_back(decision.state->observe(features));
    }
    auto const log_probs = policy.log_probs(around);
    return (log_probs[0][decision.action] - log_probs[1][decision.action]) / (2 * h);
}

TEST_P(Rollouts, HaveGradientsThroughWhatTheEncoderWasShown) {
    Episode const episode = rolled_out({.steps = 5, .state = {.encode = EncodeMode::once}}).front();
    Decision const& decision = episode.decisions.back();
    std::vector<double> weights(decision.log_probs.size());
    weights[decision.action] = 1;
    auto const gradients =
        policy_->gradients(std::vector{decision.state->observe()}, std::vector<std::vector<double>>{weights});
    Features const found = decision.state->pull_back(gradients.front().gradient);
    Features const features = decision.state->features();
    std::size_t compared = 0;
    for (std::size_t t = 0; t < features.size(); ++t) {
        TensorInfo const& tensor = GetParam()->info().tensors[t];
        for (std::size_t i = 0; i < features[t].values.size(); ++i) {
            if (features[t].values[i] == 0) continue; // does not exist, or has been dealt with
            double const expected = slope(*policy_, decision, features, t, i);
            EXPECT_NEAR(found[t].values[i], expected, 1e-5 * (1 + std::abs(expected))) << tensor.name << " " << i;
            ++compared;
        }
    }
    EXPECT_GT(compared, 10U);
}

TEST_P(Rollouts, AreCalledByTheNumbersOfTheirInstances) {
    auto const plain = rolled_out();
    auto const named = rolled_out({.numbers = {4, 7, 11}});
    for (std::size_t i = 0; i < named.size(); ++i) {
        EXPECT_EQ(named[i].actions(), plain[i].actions());
        for (Decision const& decision : named[i].decisions) EXPECT_EQ(decision.instance, (std::vector<std::size_t>{4, 7, 11}[i]));
    }
}

TEST_P(Rollouts, HoldTheStateInWhichTheDecisionWasTaken) {
    for (Episode const& episode : rolled_out()) {
        auto const actions = episode.actions();
        for (Decision const& decision : episode.decisions) {
            auto const again = replay_actions(*episode.instance, std::span(actions).first(decision.step));
            ASSERT_TRUE(again) << again.error().message;
            auto const expected = (*again)->action_mask();
            auto const found = decision.state->action_mask();
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.begin(), found.end()));
            EXPECT_NE(found[decision.action], 0);
        }
    }
}

TEST_P(Rollouts, StopAfterTheStepsAskedFor) {
    auto const all = rolled_out();
    auto const cut = rolled_out({.steps = 2});
    for (std::size_t i = 0; i < cut.size(); ++i) {
        ASSERT_EQ(cut[i].decisions.size(), 2U);
        EXPECT_FALSE(cut[i].finished);
        for (std::size_t t = 0; t < 2; ++t) {
            EXPECT_EQ(cut[i].decisions[t].action, all[i].decisions[t].action);
            EXPECT_EQ(cut[i].decisions[t].log_probs, all[i].decisions[t].log_probs);
        }
    }
}

TEST_P(Rollouts, KnowTheRunnerUpAndHowFarBehindItIs) {
    for (Episode const& episode : rolled_out()) {
        for (Decision const& decision : episode.decisions) {
            std::size_t allowed = 0;
            double best_other = -std::numeric_limits<double>::infinity();
            for (std::size_t a = 0; a < decision.log_probs.size(); ++a) {
                if (decision.state->action_mask()[a] == 0) continue;
                ++allowed;
                if (a != decision.action) best_other = std::max(best_other, decision.log_probs[a]);
            }
            EXPECT_EQ(decision.runner_up().has_value(), allowed > 1);
            if (allowed > 1) {
                EXPECT_EQ(decision.margin(), decision.log_probs[decision.action] - best_other);
            } else {
                EXPECT_TRUE(std::isinf(decision.margin()));
            }
            EXPECT_GE(decision.margin(), 0);
        }
    }
}

TEST_P(Rollouts, AreNotReplayedThroughActionsThatAreNotAllowed) {
    auto const actions = rolled_out().front().actions();
    auto const beyond = replay_actions(*instances_.front(), std::vector<std::size_t>{100'000});
    ASSERT_FALSE(beyond);
    EXPECT_NE(beyond.error().message.find("step 1: action 100000"), std::string::npos) << beyond.error().message;

    auto twice = actions;
    twice.push_back(actions.front());
    auto const again = replay_actions(*instances_.front(), twice);
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("is not allowed"), std::string::npos) << again.error().message;
}

TEST_P(Rollouts, AreRefusedForAPolicyOfAnotherProblem) {
    for (Problem const* other : all_problems()) {
        if (other == GetParam()) continue;
        auto const policy = make_policy(test::random_policy(other->info().name, 16, 1, 7));
        ASSERT_TRUE(policy);
        auto const result = rollout(**policy, instances_);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().message.rfind("instance 0: ", 0), 0U) << result.error().message;
    }
}

INSTANTIATE_TEST_SUITE_P(Problems, Rollouts, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& parameter) { return std::string(parameter.param->info().name); });

} // namespace
} // namespace cax
