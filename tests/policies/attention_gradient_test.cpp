// The backward passes of the whole attention network against central differences, in double.
#include "small_attention.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

using Net = AttentionNetwork<double>;

/// Two encoded states of different size; five decoded ones that use them, as the steps of episodes do.
struct Scene {
    std::vector<GraphObservation> encoded{test::random_state(5, Rng(1)), test::random_state(3, Rng(2))};
    std::vector<std::size_t> rows{0, 1, 0, 0, 1};
    std::vector<GraphObservation> decoded;
    std::vector<std::vector<double>> weights;

    Scene() {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Rng rng(3, static_cast<std::uint32_t>(i));
            decoded.push_back(test::random_state(encoded[rows[i]].customers.rows(), rng));
            weights.emplace_back();
            for (std::uint8_t const allowed : decoded[i].mask) weights[i].push_back(allowed ? rng.normal() : 0);
        }
    }
};

std::vector<GraphObservation const*> pointers(std::vector<GraphObservation> const& states) {
    std::vector<GraphObservation const*> result;
    for (GraphObservation const& state : states) result.push_back(&state);
    return result;
}

/// sum over decoded states and actions of weight * log-probability.
double objective(Net const& net, Scene const& scene, LogProbKind kind) {
    nn::Arena arena;
    auto const encoded = net.encode(pointers(scene.encoded), arena, arena);
    auto const states = pointers(scene.decoded);
    auto const decoded = net.decode(encoded, scene.rows, states, kind, arena);
    double sum = 0;
    for (std::size_t i = 0; i < scene.rows.size(); ++i)
        for (std::size_t a = 0; a < scene.weights[i].size(); ++a)
            if (scene.decoded[i].mask[a]) sum += scene.weights[i][a] * decoded.log_probs.row(i)[a];
    return sum;
}

struct Gradients {
    std::vector<GraphObservation> encoded, decoded;
    std::vector<double> parameters;
};

/// Decodes in two chunks, each carried back by itself: the encoder must see the sum.
Gradients backward(Net const& net, Scene const& scene, LogProbKind kind) {
    Gradients result;
    for (auto const& state : scene.encoded) result.encoded.push_back(Net::zero_gradient(state));
    for (auto const& state : scene.decoded) result.decoded.push_back(Net::zero_gradient(state));
    result.parameters.resize(net.parameters().values().size());
    nn::Arena arena;
    auto const encoded = net.encode(pointers(scene.encoded), arena, arena);
    auto cotangent = net.zero_cotangent(encoded, arena);
    auto const states = pointers(scene.decoded);
    for (auto const& [first, count] : {std::pair{0, 2}, std::pair{2, 3}}) {
        auto const rows = std::span(scene.rows).subspan(first, count);
        auto const decoded = net.decode(encoded, rows, std::span(states).subspan(first, count), kind, arena);
        std::vector<double> weights;
        for (std::size_t i = 0; i < rows.size(); ++i)
            weights.insert(weights.end(), scene.weights[first + i].begin(), scene.weights[first + i].end());
        net.decode_backward(encoded, decoded, weights, cotangent, std::span(result.decoded).subspan(first, count),
                            result.parameters, arena);
    }
    net.encode_backward(encoded, cotangent, result.encoded, result.parameters, arena);
    return result;
}

/// Central difference of the objective as `value` moves; `changed` is told of each move.
template <class Changed>
double slope(Net const& net, Scene const& scene, LogProbKind kind, double& value, Changed const& changed) {
    double const step = 1e-6, middle = value;
    value = middle + step, changed();
    double const above = objective(net, scene, kind);
    value = middle - step, changed();
    double const below = objective(net, scene, kind);
    value = middle, changed();
    return (above - below) / (2 * step);
}

struct Case {
    char const* name;
    test::SmallShape shape;
    LogProbKind kind = LogProbKind::policy;
};

class AttentionGradient : public testing::TestWithParam<Case> {
protected:
    std::unique_ptr<Net> const net_ = test::small_network<double>(GetParam().shape, Rng(7));
    Scene scene_;
    Gradients const gradients_ = backward(*net_, scene_, GetParam().kind);

    void expect_slope(double& value, double gradient, std::string const& what) {
        double const expected = slope(*net_, scene_, GetParam().kind, value, [&] { net_->pack(); });
        EXPECT_NEAR(gradient, expected, 1e-6 * (1 + std::abs(expected))) << what;
    }
    void expect_slopes(std::span<double> values, std::span<double const> gradient, std::string const& what) {
        ASSERT_EQ(values.size(), gradient.size()) << what;
        for (std::size_t i = 0; i < values.size(); ++i) expect_slope(values[i], gradient[i], what);
    }
};

TEST_P(AttentionGradient, OfTheInputsIsTheSlope) {
    for (std::size_t s = 0; s < scene_.encoded.size(); ++s) {
        expect_slopes(scene_.encoded[s].depot, gradients_.encoded[s].depot, "depot");
        expect_slopes(scene_.encoded[s].customers.values(), gradients_.encoded[s].customers.values(), "customers");
    }
    for (std::size_t i = 0; i < scene_.decoded.size(); ++i)
        expect_slopes(scene_.decoded[i].context, gradients_.decoded[i].context, "context");
}

TEST_P(AttentionGradient, OfTheParametersIsTheSlope) {
    for (auto const& entry : net_->parameters().entries()) {
        if (!entry.trained) continue;
        std::span<double> const values = net_->parameters().at(entry.slice);
        // A few entries of each tensor, always the first and the last.
        std::size_t const stride = std::max<std::size_t>(1, (values.size() - 1) / 5);
        double largest = 0;
        for (std::size_t i = 0; i < values.size(); i += stride) {
            expect_slope(values[i], gradients_.parameters[entry.slice.offset + i], entry.name);
            largest = std::max(largest, std::abs(gradients_.parameters[entry.slice.offset + i]));
        }
        // Without graph context its projection is idle; everything else matters.
        bool const idle = !GetParam().shape.graph_context && entry.name == "decoder.project_fixed_context.weight";
        EXPECT_EQ(largest == 0, idle) << entry.name;
    }
}

TEST_P(AttentionGradient, LeavesBuffersAlone) {
    for (auto const& entry : net_->parameters().entries()) {
        if (entry.trained) continue;
        for (double const g : nn::gradient_at(std::span(gradients_.parameters), entry.slice)) EXPECT_EQ(g, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, AttentionGradient,
    testing::Values(Case{"BatchNorm", {}}, Case{"InstanceNorm", {.norm = nn::NormKind::instance}},
                    Case{"LayerNorm", {.norm = nn::NormKind::layer}},
                    Case{"NoGraphContext", {.norm = nn::NormKind::instance, .graph_context = false}},
                    Case{"Temperature", {.temperature = 0.4}}, Case{"Raw", {.temperature = 2}, LogProbKind::raw}),
    [](auto const& test) { return test.param.name; });

TEST(AttentionGradientOfOneAllowedAction, IsExactlyZero) {
    test::SmallShape const shape{.norm = nn::NormKind::instance};
    NetworkPolicy<Net> const policy(test::small_network<double>(shape, Rng(7)), {});
    GraphObservation state = test::random_state(6, Rng(8));
    std::fill(state.mask.begin(), state.mask.end(), std::uint8_t{0});
    state.mask[4] = 1;
    std::vector<double> weights(7);
    weights[4] = 1;
    std::vector<Observation> const observations{state};
    auto const result = policy.gradients(observations, {&weights, 1}, LogProbKind::policy).front();
    EXPECT_EQ(result.log_probs[4], 0);
    EXPECT_EQ(result.log_probs[3], -std::numeric_limits<double>::infinity());
    auto const& gradient = std::get<GraphObservation>(result.gradient);
    for (double const g : gradient.depot) EXPECT_EQ(g, 0);
    for (double const g : gradient.customers.values()) EXPECT_EQ(g, 0);
    for (double const g : gradient.context) EXPECT_EQ(g, 0);
}

} // namespace
} // namespace cax
