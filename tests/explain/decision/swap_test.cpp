#include "cax/explain/swap.hpp"

#include "cax/problems/presentation.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

/// A tiny random policy in double precision and the decisions of some instances, per problem.
class Swapping : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        auto made = make_policy(test::random_policy(info().name, 16, 1, 7), {.precision = Precision::float64});
        ASSERT_TRUE(made) << made.error().message;
        policy_ = *std::move(made);
        std::vector<InstancePtr> instances;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            Rng rng(seed);
            instances.push_back(*GetParam()->generate(info().size_hint == "N" ? "12" : "4x3", {}, rng));
        }
        auto episodes = rollout(*policy_, instances);
        ASSERT_TRUE(episodes) << episodes.error().message;
        for (Episode const& each : *episodes) decisions_.insert(decisions_.end(), each.decisions.begin(), each.decisions.end());
    }
    [[nodiscard]] ProblemInfo const& info() const { return GetParam()->info(); }
    [[nodiscard]] Swap swapped(Decision const& decision, SwapOptions const& options = {}) const {
        auto result = swap(*policy_, decision, options);
        EXPECT_TRUE(result) << result.error().message;
        return *result;
    }
    /// The lead after exchanging the families of a set, one entry at a time.
    [[nodiscard]] double margin_after(Decision const& decision, std::size_t other, std::size_t set) const {
        Features features = decision.state->features();
        for (std::size_t t = 0; t < features.size(); ++t) {
            TensorInfo const& tensor = info().tensors[t];
            if ((set >> tensor.family & 1) == 0) continue;
            std::size_t const width = features[t].shape.size() > 1 ? features[t].shape[1] : 1;
            for (std::size_t c = 0; c < width; ++c) {
                std::swap(features[t].values[(decision.action - tensor.node_offset) * width + c],
                          features[t].values[(other - tensor.node_offset) * width + c]);
            }
        }
        std::vector<Observation> const seen{decision.state->observe(features)};
        LogProbs const log_probs = policy_->log_probs(seen).front();
        return log_probs[decision.action] - log_probs[other];
    }
    /// By the definition: the mean, over all orders of families, of what each one's exchange costs when its turn comes.
    [[nodiscard]] std::vector<double> shapley_by_orders(Decision const& decision, std::size_t other) const {
        std::vector<std::size_t> order(info().families.size());
        for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
        std::vector<double> phi(order.size());
        double orders = 0;
        do {
            std::size_t set = 0;
            for (std::size_t const k : order) {
                double const before = margin_after(decision, other, set);
                set |= std::size_t{1} << k;
                phi[k] += (before - margin_after(decision, other, set)) / 2;
            }
            ++orders;
        } while (std::next_permutation(order.begin(), order.end()));
        for (double& value : phi) value /= orders;
        return phi;
    }
    std::unique_ptr<Policy> policy_;
    std::vector<Decision> decisions_;
};

TEST_P(Swapping, ContributionsAddUpToTheLead) {
    std::size_t computed = 0;
    for (Decision const& decision : decisions_) {
        Swap const result = swapped(decision);
        if (result.status != SwapStatus::computed) continue;
        ++computed;
        double sum = 0;
        for (double const phi : result.phi) sum += phi;
        EXPECT_NEAR(sum, result.margin, 1e-9 * (1 + std::fabs(result.margin)));
        EXPECT_NEAR(result.full, -result.margin, 1e-9 * (1 + std::fabs(result.margin)));
        EXPECT_EQ(result.single.size(), info().families.size());
    }
    if (info().size_hint == "N") {
        EXPECT_GT(computed, decisions_.size() / 3);
    }
}

TEST_P(Swapping, TheClosedFormIsTheMeanOverAllOrders) {
    if (info().size_hint != "N") GTEST_SKIP() << "actions are not nodes";
    std::size_t compared = 0;
    for (std::size_t c = 0; c < decisions_.size(); c += 7) {
        Swap const result = swapped(decisions_[c]);
        if (result.status != SwapStatus::computed) continue;
        auto const expected = shapley_by_orders(decisions_[c], *result.other);
        for (std::size_t k = 0; k < expected.size(); ++k) {
            EXPECT_NEAR(result.phi[k], expected[k], 1e-9 * (1 + std::fabs(result.margin)));
            EXPECT_NEAR(result.single[k], margin_after(decisions_[c], *result.other, std::size_t{1} << k), 1e-12);
        }
        ++compared;
    }
    EXPECT_GT(compared, 10U);
}

TEST_P(Swapping, ComparesWithWhomItIsToldTo) {
    for (Decision const& decision : decisions_) {
        Swap const usual = swapped(decision);
        if (usual.status != SwapStatus::computed) continue;
        EXPECT_EQ(swapped(decision, {.other = usual.other}).phi, usual.phi);
        EXPECT_FALSE(swap(*policy_, decision, {.other = decision.action}));
        EXPECT_FALSE(swap(*policy_, decision, {.other = decision.log_probs.size()}));
        return;
    }
}

TEST_P(Swapping, NeverExchangesADepotWithACustomer) {
    Instance const& instance = decisions_.front().state->instance();
    if (instance.problem().presentation().node_label(instance, 0) != "depot") GTEST_SKIP() << "there is no depot";
    for (Decision const& decision : decisions_) {
        Swap const result = swapped(decision);
        if (decision.action == 0 && result.status != SwapStatus::no_choice) {
            EXPECT_EQ(result.status, SwapStatus::no_other);
        }
        if (!result.other) continue;
        EXPECT_NE(*result.other, 0U);
        EXPECT_EQ(result.other_is_runner_up, decision.runner_up() == result.other);
    }
}

INSTANTIATE_TEST_SUITE_P(Problems, Swapping, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
