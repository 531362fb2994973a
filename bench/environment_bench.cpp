// One step of each environment, with the observation a decoder needs, on whole random episodes; and how many instances
// a core can learn from per second. `per_s` are steps (or instances) of one core and second.
#include "cax/problems/registry.hpp"
#include "cax/train/trainer.hpp"

#include <benchmark/benchmark.h>

namespace cax {
namespace {

void environment_step(benchmark::State& bench, std::string_view name) {
    Problem const& problem = *find_problem(name);
    Rng rng(1);
    InstancePtr const instance = *problem.generate(problem.info().default_size, {}, rng);
    StatePtr const reset = instance->reset();
    std::size_t steps = 0;
    for (auto _ : bench) {
        StatePtr const state = reset->clone();
        while (!state->done()) {
            benchmark::DoNotOptimize(state->observe_for_decoding());
            auto const mask = state->action_mask();
            std::size_t action = rng.below(mask.size());
            while (mask[action] == 0) action = (action + 1) % mask.size();
            state->step(action);
            ++steps;
        }
    }
    bench.counters["per_s"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

void training(benchmark::State& bench, std::string_view name) {
    Problem const& problem = *find_problem(name);
    train::TrainSettings settings;
    settings.size = problem.info().default_size;
    settings.batch = 32; // as in long runs, where a step of the optimiser is shared by so many
    settings.instances = 128;
    settings.validation = 1;
    settings.validate_every = 1000;
    settings.threads = 1;
    train::TrainState const start = *train::initial_state(problem, settings, {});
    for (auto _ : bench) benchmark::DoNotOptimize(train::train(problem, settings, start, {}));
    auto const seen = static_cast<double>(bench.iterations()) * static_cast<double>(settings.instances);
    bench.counters["per_s"] = benchmark::Counter(seen, benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(environment_step, cvrptw, "cvrptw");
BENCHMARK_CAPTURE(environment_step, op, "op");
BENCHMARK_CAPTURE(environment_step, fjsp, "fjsp");
BENCHMARK_CAPTURE(training, cvrptw, "cvrptw")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(training, op, "op")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(training, fjsp, "fjsp")->Unit(benchmark::kMillisecond);

} // namespace
} // namespace cax
