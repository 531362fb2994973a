// What counterfactuals cost: decisions per second and core for 128 shots, smallest first and in a plain loop, and with
// refinement; per problem, with the policy in models/ where there is one (else random weights of rl4co's size, which
// flip more easily). One generated instance (seed 3), its first eight decisions, no certificates.
#include "cax/explain/counterfactual.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"
#include "yardstick.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace {

using namespace cax;

std::unique_ptr<Policy> policy_of(Problem const& problem) {
    ProblemInfo const& info = problem.info();
    auto const path =
        std::filesystem::path(CAX_MODELS_DIR) / fmt::format("{}-{}-s0.safetensors", info.name, info.default_size);
    test::RandomPolicy shape;
    shape.embed_dim = 128;
    shape.layers = 3;
    shape.heads = 8;
    TensorFile file = test::random_policy(info.name, shape, 1);
    if (std::filesystem::exists(path)) {
        auto trained = io::read_safetensors(path);
        if (!trained) std::abort();
        file = std::move(*trained);
    }
    auto policy = make_policy(file, {.threads = 1});
    if (!policy) std::abort();
    return *std::move(policy);
}

void run(benchmark::State& state, char const* name, CounterfactualOptions const& options, bool refined = false) {
    Problem const& problem = *find_problem(name);
    auto const policy = policy_of(problem);
    Rng rng(3);
    auto const instance = problem.generate(problem.info().default_size, {}, rng);
    if (!instance) std::abort();
    auto const episodes = rollout(*policy, std::vector{*instance}, {.steps = 8});
    if (!episodes) std::abort();
    double fastest = 1e30;
    std::size_t passes = 0;
    std::size_t flips = 0;
    double decisions = 1;
    for (auto _ : state) {
        double const start = bench::thread_seconds();
        passes = flips = 0;
        decisions = static_cast<double>(episodes->front().decisions.size());
        for (std::size_t step = 0; step < episodes->front().decisions.size(); ++step) {
            auto const found = find_counterfactual(*policy, episodes->front(), step, options);
            if (!found) std::abort();
            passes += found->report.forward_passes;
            flips += found->flips.empty() ? 0 : 1;
            if (!refined || found->flips.empty()) continue;
            auto const refinement = refine(*policy, episodes->front(), step, found->flips.front(), options);
            if (!refinement) std::abort();
            passes += refinement->forward_passes;
        }
        fastest = std::min(fastest, bench::thread_seconds() - start);
    }
    state.counters["cells_per_second"] = decisions / fastest;
    state.counters["forward_passes_per_cell"] = static_cast<double>(passes) / decisions;
    state.counters["flips_per_cell"] = static_cast<double>(flips) / decisions;
}

void counterfactual_sorted(benchmark::State& state, char const* name) { run(state, name, {}); }
void counterfactual_plain(benchmark::State& state, char const* name) {
    CounterfactualOptions options;
    options.plain_loop = true;
    run(state, name, options);
}
void counterfactual_refined(benchmark::State& state, char const* name) { run(state, name, {}, true); }

BENCHMARK_CAPTURE(counterfactual_sorted, cvrptw, "cvrptw")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(counterfactual_sorted, op, "op")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(counterfactual_sorted, fjsp, "fjsp")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(counterfactual_plain, cvrptw, "cvrptw")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(counterfactual_plain, op, "op")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(counterfactual_plain, fjsp, "fjsp")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(counterfactual_refined, cvrptw, "cvrptw")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(counterfactual_refined, op, "op")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(counterfactual_refined, fjsp, "fjsp")->Unit(benchmark::kMillisecond);

} // namespace
