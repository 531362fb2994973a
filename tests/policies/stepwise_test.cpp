// Networks that encode every state as it stands, and of it only what may be chosen.
#include "../support/random_policy.hpp"
#include "cax/policies/trainable.hpp"
#include "cax/problems/registry.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cax {
namespace {

using testing::HasSubstr;

/// A knapsack after three items, and a policy for it in double precision.
class Stepwise : public testing::Test {
protected:
    std::unique_ptr<Policy> const policy_ =
        *make_policy(test::random_policy("knapsack", 16, 2, 5), {.precision = Precision::float64, .threads = 1});
    StatePtr const reset_ = [] {
        Rng rng(3);
        return (*find_problem("knapsack")->generate("14", {}, rng))->reset();
    }();
    StatePtr const state_ = [this] {
        StatePtr state = reset_->clone();
        for (std::size_t const item : {2, 5, 7}) state->step(item);
        return state;
    }();

    [[nodiscard]] GraphObservation seen() const { return std::get<GraphObservation>(state_->observe()); }
    [[nodiscard]] LogProbs asked(GraphObservation const& state) const {
        std::vector<Observation> const observations{state};
        return policy_->log_probs(observations).front();
    }
};

TEST_F(Stepwise, SeesNothingOfWhatMayNotBeChosen) {
    GraphObservation const all = seen();
    LogProbs const expected = asked(all);
    GraphObservation other = all, fewer = all;
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < all.mask.size(); ++i) {
        if (all.mask[i] != 0) {
            left.push_back(i);
        } else {
            for (double& value : other.customers.row(i)) value = 7;
        }
    }
    ASSERT_LT(left.size(), all.mask.size() - 2);
    ASSERT_GT(left.size(), 2U);
    EXPECT_EQ(asked(other), expected);

    fewer.customers = Matrix<double>(left.size(), all.customers.cols());
    fewer.mask.assign(left.size(), 1);
    for (std::size_t k = 0; k < left.size(); ++k)
        std::ranges::copy(all.customers.row(left[k]), fewer.customers.row(k).begin());
    LogProbs const alone = asked(fewer);
    for (std::size_t k = 0; k < left.size(); ++k) EXPECT_EQ(alone[k], expected[left[k]]);
    double sum = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(std::isinf(expected[i]), all.mask[i] == 0);
        sum += std::exp(expected[i]);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
}

TEST_F(Stepwise, DecodesEveryStateAsItStandsWhateverWasEncoded) {
    std::vector<Observation> const start{reset_->observe()};
    auto const encoding = policy_->encode(start);
    std::size_t const row = 0;
    std::vector<Observation> const now{policy_->observe_for_decoding(*state_)};
    EXPECT_EQ(policy_->decode(*encoding, {&row, 1}, now).front(), asked(seen()));
    EXPECT_TRUE(policy_->info().stepwise);
}

TEST_F(Stepwise, HasTheSlopeOfItsInputsForAGradient) {
    GraphObservation state = seen();
    Rng rng(9);
    std::vector<double> weights(state.mask.size());
    for (std::size_t a = 0; a < weights.size(); ++a) weights[a] = state.mask[a] != 0 ? rng.normal() : 0;
    auto const value = [&] {
        LogProbs const log_probs = asked(state);
        double sum = 0;
        for (std::size_t a = 0; a < weights.size(); ++a)
            if (state.mask[a] != 0) sum += weights[a] * log_probs[a];
        return sum;
    };
    std::vector<Observation> const observations{state};
    auto const gradient = std::get<GraphObservation>(policy_->gradients(observations, {&weights, 1}).front().gradient);
    auto const compare = [&](double& input, double slope) {
        double const middle = input, step = 1e-6;
        input = middle + step;
        double const above = value();
        input = middle - step;
        double const below = value();
        input = middle;
        EXPECT_NEAR(slope, (above - below) / (2 * step), 1e-6);
    };
    for (std::size_t i = 0; i < state.customers.size(); ++i)
        compare(state.customers.values()[i], gradient.customers.values()[i]);
    for (std::size_t k = 0; k < state.context.size(); ++k) compare(state.context[k], gradient.context[k]);
}

TEST_F(Stepwise, IsNotMistakenForANetworkThatReadsNodesAsTheyWereGiven) {
    TensorFile file = test::random_policy("knapsack", 16, 2, 5);
    file.metadata.erase("stepwise");
    auto const old = make_policy(file);
    ASSERT_FALSE(old);
    EXPECT_THAT(old.error().message, HasSubstr("policy for knapsack reads nodes as they were given, the observation "
                                               "shows shares of what is left"));
    for (char const* const other : {"op", "tsp", "fjsp"}) {
        TensorFile wrong = test::random_policy(other, 16, 2, 5);
        wrong.metadata["stepwise"] = "true";
        auto const policy = make_policy(wrong);
        ASSERT_FALSE(policy) << other;
        EXPECT_THAT(policy.error().message, HasSubstr("metadata stepwise")) << other;
        EXPECT_FALSE(make_trainable(wrong)) << other;
    }
}

} // namespace
} // namespace cax
