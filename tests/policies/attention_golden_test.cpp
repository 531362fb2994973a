// The attention network against rl4co's own numbers.
#include "data.hpp"
#include "routing_trace.hpp"
#include "small_attention.hpp"

#include <algorithm>
#include <cmath>

namespace cax {
namespace {

std::vector<std::vector<double>> unit_weights(test::TraceStep const& step) {
    std::vector<std::vector<double>> weights;
    for (std::size_t b = 0; b < step.actions.size(); ++b) {
        weights.emplace_back(step.log_probs64[b].size());
        weights.back()[step.actions[b]] = 1;
    }
    return weights;
}

double largest_difference(std::span<double const> a, std::span<double const> b) {
    EXPECT_EQ(a.size(), b.size());
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) largest = std::max(largest, std::abs(a[i] - b[i])); // equal infinities differ by 0
    return largest;
}

double largest(std::span<double const> values) {
    double result = 0;
    for (double const value : values) result = std::max(result, std::abs(value));
    return result;
}

class AttentionGolden : public testing::TestWithParam<char const*> {
protected:
    std::filesystem::path const folder_ = std::filesystem::path("rl4co-golden") / GetParam();
};

TEST_P(AttentionGolden, AgreesInDoubleWithLogProbabilitiesAndGradients) {
    CAX_REQUIRE_SHARED(folder_);
    auto const trace = test::read_routing_trace(test::shared_path(folder_));
    auto const policy = test::policy_from<double>(trace.weights);
    ASSERT_TRUE(policy) << policy.error().message;
    ASSERT_GE(trace.steps.size(), 6);
    for (auto const& step : trace.steps) {
        auto const gradients = (*policy)->gradients(step.observations, unit_weights(step));
        for (std::size_t b = 0; b < gradients.size(); ++b) {
            EXPECT_LE(largest_difference(gradients[b].log_probs, step.log_probs64[b]), 1e-9);
            auto const ours = test::by_feature(std::get<GraphObservation>(gradients[b].gradient));
            auto const golden = test::by_feature(step.gradients64[b]);
            for (std::size_t f = 0; f < golden.size(); ++f) // only the context scalars that are features have a golden
                EXPECT_LE(largest_difference(ours[f], golden[f]), 1e-7 * largest(golden[f]) + 1e-15) << f;
        }
    }
}

TEST_P(AttentionGolden, AgreesInFloatWithLogProbabilitiesAndActions) {
    CAX_REQUIRE_SHARED(folder_);
    auto const trace = test::read_routing_trace(test::shared_path(folder_));
    auto const policy = test::policy_from<float>(trace.weights);
    ASSERT_TRUE(policy) << policy.error().message;
    for (auto const& step : trace.steps) {
        auto const log_probs = (*policy)->log_probs(step.observations);
        for (std::size_t b = 0; b < log_probs.size(); ++b) {
            EXPECT_LE(largest_difference(log_probs[b], step.log_probs[b]), 1e-4);
            auto const best = std::max_element(log_probs[b].begin(), log_probs[b].end()) - log_probs[b].begin();
            EXPECT_EQ(best, step.actions[b]);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Folders, AttentionGolden, testing::Values("cvrptw", "cvrptw_instance_norm", "op"));

} // namespace
} // namespace cax
