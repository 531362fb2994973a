// What callers of a Policy may rely on: a state's numbers do not depend, in any bit, on what is computed beside it.
#include "small_attention.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

using FloatNet = AttentionNetwork<float>;

/// Nine states of sizes 1 to 60: some share a block, some fill one alone.
std::vector<Observation> mixed_graphs() {
    std::vector<Observation> states;
    for (std::size_t const customers : {20, 7, 60, 1, 51, 3, 33, 50, 12})
        states.emplace_back(test::random_state(customers, Rng(5, static_cast<std::uint32_t>(customers))));
    return states;
}

std::vector<std::vector<double>> random_weights(std::span<Observation const> states) {
    std::vector<std::vector<double>> weights;
    for (std::size_t i = 0; i < states.size(); ++i) {
        Rng rng(6, static_cast<std::uint32_t>(i));
        weights.emplace_back();
        for (std::uint8_t const allowed : action_mask(states[i])) weights[i].push_back(allowed ? rng.normal() : 0);
    }
    return weights;
}

void expect_same(Policy::Gradient const& a, Policy::Gradient const& b) {
    EXPECT_EQ(a.log_probs, b.log_probs);
    auto const& x = std::get<GraphObservation>(a.gradient);
    auto const& y = std::get<GraphObservation>(b.gradient);
    EXPECT_EQ(x.depot, y.depot);
    EXPECT_EQ(x.customers, y.customers);
    EXPECT_EQ(x.context, y.context);
}

class Batch : public testing::TestWithParam<nn::NormKind> {
protected:
    NetworkPolicy<FloatNet> policy(std::size_t threads) const {
        test::SmallShape const shape{.width = 32, .heads = 8, .norm = GetParam()};
        return {test::small_network<float>(shape, Rng(11)), PolicyOptions{.threads = threads}};
    }
    std::vector<Observation> const states_ = mixed_graphs();
    std::vector<std::vector<double>> const weights_ = random_weights(states_);

    std::vector<Policy::Gradient> alone() const {
        auto const single = policy(1);
        std::vector<Policy::Gradient> result;
        for (std::size_t i = 0; i < states_.size(); ++i)
            result.push_back(single.gradients({&states_[i], 1}, {&weights_[i], 1}, LogProbKind::policy).front());
        return result;
    }
};

TEST_P(Batch, GivesEveryStateTheNumbersItHasAlone) {
    auto const expected = alone();
    for (std::size_t const threads : {1, 2}) {
        auto const batched = policy(threads);
        for (std::size_t count = 1; count <= states_.size(); ++count)
            for (std::size_t first = 0; first + count <= states_.size(); ++first) {
                auto const states = std::span(states_).subspan(first, count);
                auto const result =
                    batched.gradients(states, std::span(weights_).subspan(first, count), LogProbKind::policy);
                auto const log_probs = batched.log_probs(states, LogProbKind::policy);
                for (std::size_t i = 0; i < count; ++i) {
                    expect_same(result[i], expected[first + i]);
                    EXPECT_EQ(log_probs[i], expected[first + i].log_probs);
                }
            }
    }
}

TEST_P(Batch, DecodesFromASharedEncodingAsFromItsOwn) {
    auto const expected = alone();
    for (std::size_t const threads : {1, 2}) {
        auto const batched = policy(threads);
        auto const encoding = batched.encode(states_);
        // In reverse, each twice.
        std::vector<std::size_t> rows;
        std::vector<Observation> observations;
        for (std::size_t i = states_.size(); i-- > 0;)
            for (int repeat = 0; repeat < 2; ++repeat) {
                rows.push_back(i);
                observations.push_back(states_[i]);
            }
        auto const result = batched.decode(*encoding, rows, observations, LogProbKind::policy);
        for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(result[k], expected[rows[k]].log_probs);
    }
}

TEST_P(Batch, DecodesMoreStatesThanOneGroupHolds) {
    auto const batched = policy(2);
    auto const encoding = batched.encode({&states_[0], 1});
    std::vector<std::size_t> const rows(150, 0);
    std::vector<Observation> observations;
    for (std::uint32_t i = 0; i < 150; ++i) observations.emplace_back(test::random_state(20, Rng(9, i)));
    auto const together = batched.decode(*encoding, rows, observations, LogProbKind::policy);
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(together[i], batched.decode(*encoding, {&rows[i], 1}, {&observations[i], 1}, LogProbKind::policy)[0]);
}

TEST_P(Batch, GivesProbabilitiesThatAddUpToOne) {
    for (LogProbKind const kind : {LogProbKind::policy, LogProbKind::raw})
        for (LogProbs const& log_probs : policy(2).log_probs(states_, kind)) {
            double sum = 0;
            for (double const log_prob : log_probs) sum += std::exp(log_prob);
            EXPECT_NEAR(sum, 1, 1e-5);
        }
}

INSTANTIATE_TEST_SUITE_P(Norms, Batch,
                         testing::Values(nn::NormKind::batch, nn::NormKind::instance, nn::NormKind::layer));

TEST(EmptyBatch, GivesNothing) {
    NetworkPolicy<FloatNet> const policy(test::small_network<float>({}, Rng(1)), {});
    EXPECT_TRUE(policy.log_probs({}, LogProbKind::policy).empty());
    EXPECT_TRUE(policy.gradients({}, {}, LogProbKind::policy).empty());
    EXPECT_TRUE(policy.decode(*policy.encode({}), {}, {}, LogProbKind::policy).empty());
}

} // namespace
} // namespace cax
