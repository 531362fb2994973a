// What sufficient subsets cost: decisions per second along the gradient order at the paper's setting (M = 70, k_max =
// 25), and forward passes spent against the plain loop that draws every sample for every size. A trained policy,
// because random weights decide whatever the features say; one thread. Instances of seed 2.
#include "cax/explain/ordering.hpp"
#include "cax/explain/subset_score.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/registry.hpp"
#include "yardstick.hpp"

#include <cstdlib>

namespace {

using namespace cax;

void walk_subsets(benchmark::State& state, Acceptance accept) {
    auto const weights = io::read_safetensors(CAX_MODELS_DIR "/op-20-s0.safetensors");
    if (!weights) std::abort();
    auto const policy = make_policy(*weights, {.threads = 1});
    if (!policy) std::abort();
    Problem const& problem = *find_problem((*policy)->info().problem);
    std::vector<InstancePtr> instances;
    for (std::uint32_t i = 0; i < 2; ++i) {
        Rng rng(2, i);
        instances.push_back(*problem.generate(problem.info().default_size, {}, rng));
    }
    auto const episodes = rollout(**policy, instances, {.steps = 8});
    if (!episodes) std::abort();
    auto const decisions = all_cells(*episodes);
    SubsetOptions options;
    options.accept = accept;
    options.threads = 1;
    auto const orders =
        node_orders(**policy, instances, decisions, *ordering_of("proxy", problem.info()), options, {.threads = 1});
    if (!orders) std::abort();
    double seconds = 0;
    SubsetScore score;
    for (auto _ : state) {
        double const start = bench::thread_seconds();
        auto const subsets = sufficient_subsets(**policy, decisions, *orders, options);
        if (!subsets) std::abort();
        seconds += bench::thread_seconds() - start;
        score = score_subsets(*subsets, options);
    }
    double const runs = static_cast<double>(state.iterations());
    state.counters["cells_per_second"] = static_cast<double>(decisions.size()) * runs / seconds;
    state.counters["forward_passes"] = static_cast<double>(score.forward_passes);
    state.counters["fixed_passes"] = static_cast<double>(score.fixed_passes);
    state.counters["passes_share"] =
        static_cast<double>(score.forward_passes) / static_cast<double>(score.fixed_passes);
}

BENCHMARK_CAPTURE(walk_subsets, op_empirical, Acceptance::empirical)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk_subsets, op_certified, Acceptance::certified)->Unit(benchmark::kMillisecond);

} // namespace
