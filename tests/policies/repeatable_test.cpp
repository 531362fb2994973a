// Policies that contradict themselves.
#include "cax/policies/repeatable.hpp"

#include "cax/policies/tensor_policy.hpp"
#include "cax/problems/registry.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace cax {
namespace {

/// Scores that are the action's number, plus what `change` makes of the number of calls so far.
class CountingScorer final : public TensorScorer {
public:
    explicit CountingScorer(double change) : change_(change) {}
    std::vector<double> scores(TensorBatch const& batch) override {
        std::vector<double> result(batch.states * batch.actions);
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = static_cast<double>(i % batch.actions) * (1 + change_ * calls_);
        ++calls_;
        return result;
    }
    ScoreGradient differentiate(TensorBatch const&, Cotangents const&) override { return {}; }

private:
    double change_;
    double calls_ = 0;
};

/// Rules out every action with an odd number.
class ParityScorer final : public TensorScorer {
public:
    std::vector<double> scores(TensorBatch const& batch) override {
        std::vector<double> result(batch.states * batch.actions);
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = i % batch.actions % 2 == 0 ? 0 : -std::numeric_limits<double>::infinity();
        return result;
    }
    ScoreGradient differentiate(TensorBatch const&, Cotangents const&) override { return {}; }
};

class Repeating : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        Rng rng(5);
        auto made = GetParam()->generate(GetParam()->info().default_size, {}, rng);
        ASSERT_TRUE(made) << made.error().message;
        instance_ = *made;
    }
    [[nodiscard]] std::unique_ptr<Policy> policy(std::unique_ptr<TensorScorer> scorer) const {
        auto made = make_tensor_policy(std::move(scorer), {.problem = std::string(GetParam()->info().name), .name = "strange"});
        EXPECT_TRUE(made);
        return *std::move(made);
    }
    InstancePtr instance_;
};

TEST_P(Repeating, APolicyThatGivesTwoAnswersIsRefusedAndOneThatRoundsIsNot) {
    std::size_t allowed = 0;
    for (auto const flag : instance_->reset()->action_mask()) allowed += flag;
    ASSERT_GT(allowed, 1U);
    EXPECT_TRUE(check_repeatable(*policy(std::make_unique<CountingScorer>(0)), *instance_));
    EXPECT_TRUE(check_repeatable(*policy(std::make_unique<CountingScorer>(1e-9)), *instance_));
    auto const refused = check_repeatable(*policy(std::make_unique<CountingScorer>(0.1)), *instance_);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("two answers"), std::string::npos) << refused.error().message;
    EXPECT_NE(refused.error().message.find("--allow-random"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(EveryProblem, Repeating, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& each) { return std::string(each.param->info().name); });

TEST(RuledOut, CountsAllowedActionsThatAPolicyGivesTheProbabilityZero) {
    Problem const& problem = *find_problem("knapsack");
    Rng rng(5);
    InstancePtr const instance = *problem.generate("10", {}, rng);
    auto const policy = *make_tensor_policy(std::make_unique<ParityScorer>(), {.problem = "knapsack", .name = "even"});
    auto const episode = rollout(*policy, instance, {.steps = 1});
    ASSERT_TRUE(episode) << episode.error().message;
    auto const mask = episode->decisions[0].state->action_mask();
    std::size_t odd = 0;
    for (std::size_t a = 1; a < mask.size(); a += 2) odd += mask[a];
    ASSERT_GT(odd, 0U);
    EXPECT_EQ(ruled_out(*episode).actions, odd);
    EXPECT_EQ(ruled_out(*episode).decisions, 1U);
}

} // namespace
} // namespace cax
