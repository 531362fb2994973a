#include "matnet_support.hpp"
#include "random_policy.hpp"

#include <cmath>

namespace cax::test {
namespace {

/// Two encoded instances, four decoded states that belong to them, a weight for every action; and the scalar
/// sum of weights * log-probabilities, by forward passes alone.
struct Scene {
    std::unique_ptr<MatnetNetwork<double>> net;
    std::vector<ScheduleObservation> encoded, decoded;
    std::vector<std::size_t> rows{0, 1, 1, 0};
    std::vector<double> weights;

    Scene(std::string const& normalization, bool coupled, std::uint64_t seed) {
        TensorFile file =
            random_policy("fjsp", {.embed_dim = 16, .layers = 2, .heads = 4, .normalization = normalization}, seed);
        file.metadata["scaling_factor"] = "10.0"; // large enough costs that every path shows
        net = make_matnet<double>(file, {.coupled_batch = coupled});
        encoded = {random_schedule(3, 2, 2, 2, seed), random_schedule(2, 3, 2, 1, seed + 1)};
        decoded = {random_schedule(3, 2, 2, 2, seed + 2), random_schedule(2, 3, 2, 1, seed + 3),
                   random_schedule(2, 3, 2, 1, seed + 4), random_schedule(3, 2, 2, 2, seed + 5)};
        Rng rng(seed);
        // A padded operation's scores start at the ReLU's kink unless it has a time.
        for (ScheduleObservation& state : encoded)
            for (std::size_t m = 0; m < state.busy_until.size(); ++m)
                for (std::size_t o = 0; o < state.padding.size(); ++o)
                    if (state.padding[o]) state.proc_times(m, o) = rng.uniform(1, 20);
        for (ScheduleObservation const& state : decoded)
            for (std::uint8_t const allowed : state.mask) weights.push_back(allowed ? rng.normal() : 0.0);
    }

    static std::vector<ScheduleObservation const*> pointers(std::vector<ScheduleObservation> const& states) {
        std::vector<ScheduleObservation const*> result;
        for (ScheduleObservation const& state : states) result.push_back(&state);
        return result;
    }

    double objective() const {
        nn::Arena arena;
        auto const in = pointers(encoded), out = pointers(decoded);
        auto const code = net->encode(in, arena, arena);
        auto const result = net->decode(code, rows, out, LogProbKind::policy, arena);
        double sum = 0;
        for (std::size_t i = 0; i < weights.size(); ++i)
            if (weights[i] != 0) sum += weights[i] * result.log_probs.values[i];
        return sum;
    }

    struct Gradients {
        std::vector<ScheduleObservation> encoded, decoded;
        std::vector<double> parameters;
    };
    Gradients gradients() const {
        nn::Arena arena;
        Gradients result;
        for (auto const& state : encoded) result.encoded.push_back(MatnetNetwork<double>::zero_gradient(state));
        for (auto const& state : decoded) result.decoded.push_back(MatnetNetwork<double>::zero_gradient(state));
        result.parameters.resize(net->parameters().values().size());
        auto const in = pointers(encoded), out = pointers(decoded);
        auto const code = net->encode(in, arena, arena);
        auto cotangent = net->zero_cotangent(code, arena);
        auto const all = net->decode(code, rows, out, LogProbKind::policy, arena);
        net->decode_backward(code, all, weights, cotangent, result.decoded, result.parameters, arena);
        net->encode_backward(code, cotangent, result.encoded, result.parameters, arena);
        return result;
    }

    /// d objective / d value, from values at and below it: above 0 a time would become eligible.
    double backward_difference(double& value, double h) const {
        double const kept = value, here = objective();
        value = kept - h;
        double const below = objective();
        value = kept - 2 * h;
        double const lower = objective();
        value = kept;
        return (3 * here - 4 * below + lower) / (2 * h);
    }
};

void expect_close(double ours, double difference, double scale, std::string const& what) {
    EXPECT_NEAR(ours, difference, 2e-6 * std::max(scale, std::abs(difference))) << what;
}

class MatnetGradient : public testing::TestWithParam<std::tuple<char const*, bool>> {
protected:
    Scene scene() const { return {std::get<0>(GetParam()), std::get<1>(GetParam()), 21}; }
};

TEST_P(MatnetGradient, OfInputsIsWhatDifferencesShow) {
    Scene scene = this->scene();
    Scene::Gradients const ours = scene.gradients();
    auto const check = [&](std::vector<ScheduleObservation>& states,
                           std::vector<ScheduleObservation> const& gradients) {
        for (std::size_t s = 0; s < states.size(); ++s) {
            ScheduleObservation& state = states[s];
            for (std::size_t o = 0; o < state.num_eligible.size(); ++o) {
                expect_close(gradients[s].num_eligible[o], scene.backward_difference(state.num_eligible[o], 1e-6), 1,
                             fmt::format("state {} num_eligible {}", s, o));
                // Where no machine is eligible the mean moves by 1e9 times as much as the time.
                bool const lonely = state.scheduled[o] && &states == &scene.encoded;
                double const h = lonely ? 1e-14 : 1e-6;
                for (std::size_t m = 0; m < state.busy_until.size(); ++m)
                    expect_close(gradients[s].proc_times(m, o), scene.backward_difference(state.proc_times(m, o), h),
                                 lonely ? 1e8 : 1, fmt::format("state {} time of {} on {}", s, o, m));
            }
        }
    };
    check(scene.encoded, ours.encoded);
    check(scene.decoded, ours.decoded);
}

TEST_P(MatnetGradient, OfParametersIsWhatDifferencesShow) {
    Scene scene = this->scene();
    Scene::Gradients const ours = scene.gradients();
    for (auto const& entry : scene.net->parameters().entries()) {
        if (!entry.trained) continue;
        // Every entry of the small tensors, one in thirteen of the large ones.
        for (std::size_t i = 0; i<entry.slice.size; i += entry.slice.size> 64 ? 7 : 1) {
            double& value = scene.net->parameters().at(entry.slice)[i];
            double const kept = value, h = 1e-6;
            auto const at = [&](double moved) {
                value = moved;
                scene.net->pack();
                return scene.objective();
            };
            double const difference = (at(kept + h) - at(kept - h)) / (2 * h);
            value = kept;
            expect_close(ours.parameters[entry.slice.offset + i], difference, 1, fmt::format("{} {}", entry.name, i));
        }
        scene.net->pack();
    }
}

TEST_P(MatnetGradient, LeavesUnusedParametersAndBuffersAlone) {
    Scene const scene = this->scene();
    Scene::Gradients const ours = scene.gradients();
    for (auto const& entry : scene.net->parameters().entries()) {
        bool const unused = entry.name.ends_with("Wkv2.weight") || entry.name.ends_with("project_fixed_context.weight");
        bool moved = false;
        for (std::size_t i = 0; i < entry.slice.size; ++i) moved |= ours.parameters[entry.slice.offset + i] != 0;
        EXPECT_EQ(moved, entry.trained && !unused) << entry.name;
    }
}

TEST_P(MatnetGradient, IsTheSameWithOrWithoutTheOther) {
    Scene const scene = this->scene();
    Scene::Gradients const both = scene.gradients();
    nn::Arena arena;
    auto const in = Scene::pointers(scene.encoded), out = Scene::pointers(scene.decoded);
    auto const code = scene.net->encode(in, arena, arena);
    auto const decoded = scene.net->decode(code, scene.rows, out, LogProbKind::policy, arena);
    std::vector<double> parameters(both.parameters.size());
    auto first = scene.net->zero_cotangent(code, arena);
    scene.net->decode_backward(code, decoded, scene.weights, first, {}, parameters, arena);
    scene.net->encode_backward(code, first, {}, parameters, arena);
    EXPECT_EQ(parameters, both.parameters);

    std::vector<ScheduleObservation> inputs;
    for (auto const& state : scene.encoded) inputs.push_back(MatnetNetwork<double>::zero_gradient(state));
    auto second = scene.net->zero_cotangent(code, arena);
    scene.net->decode_backward(code, decoded, scene.weights, second, {}, {}, arena);
    scene.net->encode_backward(code, second, inputs, {}, arena);
    for (std::size_t s = 0; s < inputs.size(); ++s) EXPECT_EQ(inputs[s].proc_times, both.encoded[s].proc_times);
}

INSTANTIATE_TEST_SUITE_P(AllNorms, MatnetGradient,
                         testing::Combine(testing::Values("batch", "instance", "layer"), testing::Bool()),
                         [](auto const& test) {
                             return std::string(std::get<0>(test.param)) + (std::get<1>(test.param) ? "Coupled" : "");
                         });

} // namespace
} // namespace cax::test
