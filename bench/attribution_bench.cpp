// What attribution costs: decisions per second, and how many backward passes one takes with all families (it must be
// 1, plus the grouping). Per problem at its usual size, networks of rl4co's size, one thread. Seeds: 1 for weights, 2
// for instances.
#include "cax/explain/attribution.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"
#include "yardstick.hpp"

#include <algorithm>
#include <cstdlib>

namespace {

using namespace cax;

struct Scene {
    std::unique_ptr<Policy> policy;
    std::vector<Decision> decisions; ///< with a choice, as many as fill the kernels
};

Scene scene_of(char const* name) {
    Problem const& problem = *find_problem(name);
    test::RandomPolicy shape;
    shape.embed_dim = 128;
    shape.layers = 3;
    shape.heads = 8;
    Scene scene;
    auto policy = make_policy(test::random_policy(name, shape, 1), {.threads = 1});
    if (!policy) std::abort();
    scene.policy = std::move(*policy);
    Rng rng(2);
    auto const instance = problem.generate(problem.info().default_size, {}, rng);
    if (!instance) std::abort();
    auto const episodes = rollout(*scene.policy, std::vector{*instance}, {.steps = 16});
    if (!episodes) std::abort();
    for (Decision const& decision : episodes->front().decisions) {
        if (decision.runner_up()) scene.decisions.push_back(decision);
    }
    return scene;
}

/// The fastest of some runs, in seconds per decision.
double fastest(Scene const& scene, auto const& run) {
    double best = 1e30;
    for (int i = 0; i < 10; ++i) {
        double const start = bench::thread_seconds();
        run();
        best = std::min(best, bench::thread_seconds() - start);
    }
    return best / static_cast<double>(scene.decisions.size());
}

void attribution(benchmark::State& state, char const* name, AttributionMethod method) {
    Scene const scene = scene_of(name);
    std::vector<Observation> observations;
    std::vector<std::vector<double>> weights;
    for (Decision const& decision : scene.decisions) {
        observations.push_back(decision.state->observe());
        weights.emplace_back(decision.state->action_mask().size());
        weights.back()[decision.action] = 1;
    }
    AttributionOptions options;
    options.method = method;
    options.points = 8;
    options.threads = 1;
    double seconds = 0, backward = 0;
    for (auto _ : state) {
        backward = fastest(scene, [&] { benchmark::DoNotOptimize(scene.policy->gradients(observations, weights)); });
        seconds = fastest(scene, [&] {
            auto const found = attribute(*scene.policy, scene.decisions, options);
            if (!found) std::abort();
            benchmark::DoNotOptimize(*found);
        });
    }
    state.counters["cells_per_second"] = 1 / seconds;
    state.counters["of_backward"] = seconds / backward;
}

BENCHMARK_CAPTURE(attribution, cvrptw, "cvrptw", AttributionMethod::gradient)->Iterations(1);
BENCHMARK_CAPTURE(attribution, op, "op", AttributionMethod::gradient)->Iterations(1);
BENCHMARK_CAPTURE(attribution, fjsp, "fjsp", AttributionMethod::gradient)->Iterations(1);
BENCHMARK_CAPTURE(attribution, op_integrated_8, "op", AttributionMethod::integrated)->Iterations(1);
BENCHMARK_CAPTURE(attribution, op_occlusion, "op", AttributionMethod::occlusion)->Iterations(1);

} // namespace
