// What multipliers cost: the linear relaxation written and solved, the least multipliers, and the default range, per
// instance of each problem's usual size; for routing problems also in forward passes of the attention network at
// rl4co's size (one state, one thread). Seeds: 1 for weights, 2 for instances.
#include "cax/explain/multipliers.hpp"
#include "cax/policies/policy.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"
#include "yardstick.hpp"

#include <algorithm>
#include <cstdlib>

namespace {

using namespace cax;

InstancePtr instance_of(Problem const& problem) {
    Rng rng(2);
    auto instance = problem.generate(problem.info().default_size, {}, rng);
    if (!instance) std::abort();
    return *instance;
}

/// The fastest of some forward passes on the instance's first state.
double forward_seconds(Problem const& problem) {
    test::RandomPolicy shape;
    shape.embed_dim = 128;
    shape.layers = 3;
    shape.heads = 8;
    auto policy = make_policy(test::random_policy(problem.info().name, shape, 1), {.threads = 1});
    if (!policy) std::abort();
    std::vector<Observation> const state{instance_of(problem)->reset()->observe()};
    double fastest = 1e30;
    for (int i = 0; i < 200; ++i) {
        double const start = bench::thread_seconds();
        benchmark::DoNotOptimize((*policy)->log_probs(state));
        fastest = std::min(fastest, bench::thread_seconds() - start);
    }
    return fastest;
}

void run(benchmark::State& state, char const* name, MultiplierOptions const& options) {
    Problem const& problem = *find_problem(name);
    InstancePtr const instance = instance_of(problem);
    double fastest = 1e30;
    for (auto _ : state) {
        double const start = bench::thread_seconds();
        auto const result = compute_multipliers(*instance, options);
        if (!result || !result->values()) std::abort();
        fastest = std::min(fastest, bench::thread_seconds() - start);
    }
    state.counters["ms"] = 1e3 * fastest;
    state.counters["forward_passes"] = fastest / forward_seconds(problem);
}

void multipliers_lp(benchmark::State& state, char const* name) { run(state, name, {}); }
void multipliers_least(benchmark::State& state, char const* name) {
    MultiplierOptions options;
    options.vertex = DualVertex::least;
    run(state, name, options);
}
void multipliers_range(benchmark::State& state, char const* name) {
    MultiplierOptions options;
    options.dual_range = true;
    run(state, name, options);
}

BENCHMARK_CAPTURE(multipliers_lp, cvrptw, "cvrptw")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(multipliers_lp, op, "op")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(multipliers_lp, fjsp, "fjsp")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(multipliers_least, cvrptw, "cvrptw")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(multipliers_range, cvrptw, "cvrptw")->Unit(benchmark::kMillisecond);

} // namespace
