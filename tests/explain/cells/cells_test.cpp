#include "cax/explain/cells.hpp"

#include "cax/policies/decode.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

/// A tiny random policy and a few small instances of each problem.
class Cells : public testing::TestWithParam<Problem const*> {
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
    [[nodiscard]] std::vector<Walk> walks(WalkOptions const& options = {}) const {
        auto result = walk(*policy_, instances_, options);
        EXPECT_TRUE(result) << result.error().message;
        return result ? *result : std::vector<Walk>{};
    }

    std::unique_ptr<Policy> policy_;
    std::vector<InstancePtr> instances_;
};

TEST_P(Cells, FollowTheGreedyDecoderThatEncodesEveryState) {
    auto const episodes = decode(*policy_, instances_, {.encode = EncodeMode::each_step});
    ASSERT_TRUE(episodes) << episodes.error().message;
    auto const found = walks();
    ASSERT_EQ(found.size(), instances_.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].actions(), (*episodes)[i].actions);
        EXPECT_TRUE(found[i].finished);
        for (Cell const& cell : found[i].cells) {
            EXPECT_EQ(cell.instance, i);
            EXPECT_EQ(cell.log_probs[cell.action], (*episodes)[i].log_probs[cell.step]);
        }
    }
}

TEST_P(Cells, TakeWhatIsGivenAndGoOnGreedily) {
    for (Walk const& free : walks()) {
        std::size_t step = 0;
        while (step < free.cells.size() && !free.cells[step].runner_up()) ++step;
        if (step == free.cells.size()) continue; // nothing was ever to be decided
        std::size_t const other = *free.cells[step].runner_up();
        auto const held = walk(*policy_, std::span(&free.instance, 1), {.given = {{step, other}}});
        ASSERT_TRUE(held) << held.error().message;
        std::vector<Cell> const& cells = held->front().cells;
        for (std::size_t t = 0; t < cells.size(); ++t) {
            if (t <= step) {
                EXPECT_EQ(cells[t].log_probs, free.cells[t].log_probs);
            }
            EXPECT_EQ(cells[t].action, most_probable(cells[t].log_probs));
            EXPECT_EQ(cells[t].taken(), t == step ? other : cells[t].action);
        }
        EXPECT_FALSE(walk(*policy_, std::span(&free.instance, 1), {.given = {{999, other}}}));
        EXPECT_FALSE(walk(*policy_, std::span(&free.instance, 1), {.given = {{step, 99999}}}));
    }
}

TEST_P(Cells, FollowTheGreedyDecoderThatEncodesOnceIfAsked) {
    auto const episodes = decode(*policy_, instances_, {.encode = EncodeMode::once});
    ASSERT_TRUE(episodes) << episodes.error().message;
    auto const found = walks({.state = {.encode_once = true}});
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].actions(), (*episodes)[i].actions);
        for (Cell const& cell : found[i].cells) {
            EXPECT_EQ(cell.log_probs[cell.action], (*episodes)[i].log_probs[cell.step]);
            EXPECT_EQ(policy_->log_probs(std::vector{cell.state->observe()}).front(), cell.log_probs);
        }
    }
    bool differs = false; // the two ways do, where they can
    auto const each = walks();
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (std::size_t t = 0; t < std::min(each[i].cells.size(), found[i].cells.size()); ++t) {
            differs = differs || each[i].cells[t].log_probs != found[i].cells[t].log_probs;
        }
    }
    EXPECT_EQ(differs, policy_->encoding_changes());
}

/// d log pi(action) / d entry, by central differences.
double slope(Policy const& policy, Cell const& cell, Features features, std::size_t tensor, std::size_t entry) {
    constexpr double h = 1e-4;
    double& value = features[tensor].values[entry];
    double const before = value;
    std::vector<Observation> around;
    for (double const by : {h, -h}) {
        value = before + by;
        around.push_back(cell.state->observe(features));
    }
    auto const log_probs = policy.log_probs(around);
    return (log_probs[0][cell.action] - log_probs[1][cell.action]) / (2 * h);
}

TEST_P(Cells, HaveGradientsThroughWhatTheEncoderWasShown) {
    Walk const walked = walks({.steps = 5, .state = {.encode_once = true}}).front();
    Cell const& cell = walked.cells.back();
    std::vector<double> weights(cell.log_probs.size());
    weights[cell.action] = 1;
    auto const gradients =
        policy_->gradients(std::vector{cell.state->observe()}, std::vector<std::vector<double>>{weights});
    Features const found = cell.state->pull_back(gradients.front().gradient);
    Features const features = cell.state->features();
    std::size_t compared = 0;
    for (std::size_t t = 0; t < features.size(); ++t) {
        TensorInfo const& tensor = GetParam()->info().tensors[t];
        for (std::size_t i = 0; i < features[t].values.size(); ++i) {
            if (features[t].values[i] == 0) continue; // does not exist, or has been dealt with
            double const expected = slope(*policy_, cell, features, t, i);
            EXPECT_NEAR(found[t].values[i], expected, 1e-5 * (1 + std::abs(expected))) << tensor.name << " " << i;
            ++compared;
        }
    }
    EXPECT_GT(compared, 10U);
}

TEST_P(Cells, AreCalledByTheNumbersOfTheirInstances) {
    auto const plain = walks();
    auto const named = walks({.numbers = {4, 7, 11}});
    for (std::size_t i = 0; i < named.size(); ++i) {
        EXPECT_EQ(named[i].actions(), plain[i].actions());
        for (Cell const& cell : named[i].cells) EXPECT_EQ(cell.instance, (std::vector<std::size_t>{4, 7, 11}[i]));
    }
}

TEST_P(Cells, HoldTheStateInWhichTheDecisionWasTaken) {
    for (Walk const& walked : walks()) {
        auto const actions = walked.actions();
        for (Cell const& cell : walked.cells) {
            auto const again = replay(*walked.instance, std::span(actions).first(cell.step));
            ASSERT_TRUE(again) << again.error().message;
            auto const expected = (*again)->action_mask();
            auto const found = cell.state->action_mask();
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.begin(), found.end()));
            EXPECT_NE(found[cell.action], 0);
        }
    }
}

TEST_P(Cells, StopAfterTheStepsAskedFor) {
    auto const all = walks();
    auto const cut = walks({.steps = 2});
    for (std::size_t i = 0; i < cut.size(); ++i) {
        ASSERT_EQ(cut[i].cells.size(), 2U);
        EXPECT_FALSE(cut[i].finished);
        for (std::size_t t = 0; t < 2; ++t) {
            EXPECT_EQ(cut[i].cells[t].action, all[i].cells[t].action);
            EXPECT_EQ(cut[i].cells[t].log_probs, all[i].cells[t].log_probs);
        }
    }
}

TEST_P(Cells, KnowTheRunnerUpAndHowFarBehindItIs) {
    for (Walk const& walked : walks()) {
        for (Cell const& cell : walked.cells) {
            std::size_t allowed = 0;
            double best_other = -std::numeric_limits<double>::infinity();
            for (std::size_t a = 0; a < cell.log_probs.size(); ++a) {
                if (cell.state->action_mask()[a] == 0) continue;
                ++allowed;
                if (a != cell.action) best_other = std::max(best_other, cell.log_probs[a]);
            }
            EXPECT_EQ(cell.runner_up().has_value(), allowed > 1);
            if (allowed > 1) {
                EXPECT_EQ(cell.margin(), cell.log_probs[cell.action] - best_other);
            } else {
                EXPECT_TRUE(std::isinf(cell.margin()));
            }
            EXPECT_GE(cell.margin(), 0);
        }
    }
}

TEST_P(Cells, AreNotReplayedThroughActionsThatAreNotAllowed) {
    auto const actions = walks().front().actions();
    auto const beyond = replay(*instances_.front(), std::vector<std::size_t>{100'000});
    ASSERT_FALSE(beyond);
    EXPECT_NE(beyond.error().message.find("step 1: action 100000"), std::string::npos) << beyond.error().message;

    auto twice = actions;
    twice.push_back(actions.front());
    auto const again = replay(*instances_.front(), twice);
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("is not allowed"), std::string::npos) << again.error().message;
}

TEST_P(Cells, AreRefusedForAPolicyOfAnotherProblem) {
    for (Problem const* other : all_problems()) {
        if (other == GetParam()) continue;
        auto const policy = make_policy(test::random_policy(other->info().name, 16, 1, 7));
        ASSERT_TRUE(policy);
        auto const result = walk(**policy, instances_);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().message.rfind("instance 0: ", 0), 0U) << result.error().message;
    }
}

INSTANTIATE_TEST_SUITE_P(Problems, Cells, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& parameter) { return std::string(parameter.param->info().name); });

} // namespace
} // namespace cax
