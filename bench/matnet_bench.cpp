// The matnet network as a policy on job shops of 10 jobs, 5 machines and 60 operations (three layers, 128 channels, 8
// heads): one forward pass per state, alone and in batches, with the share of the sgemm rate that its FLOPs reach; and
// what an input gradient and a second thread cost and bring. Seeds: 1 for weights, 2 for states.
#include "matnet.hpp"
#include "network_policy.hpp"
#include "yardstick.hpp"

#include <algorithm>
#include <chrono>
#include <random>

namespace {

using namespace cax;

constexpr std::size_t width = 128, heads = 8, layers = 3, jobs = 10, machines = 5, per_job = 6, ops = jobs * per_job;

using Matnet = NetworkPolicy<MatnetNetwork<float>>;

Matnet make_policy(std::size_t threads) {
    MatnetNetwork<float>::Config config;
    config.info.problem = "fjsp";
    config.info.embed_dim = width;
    config.info.layers = layers;
    config.info.heads = heads;
    config.info.scaling_factor = 1000;
    config.feed_forward = 2 * width;
    config.positions = 1000;
    auto net = std::make_unique<MatnetNetwork<float>>(config);
    std::mt19937 engine(1);
    std::uniform_real_distribution<float> small(-0.15F, 0.15F), near_one(0.8F, 1.2F);
    for (auto const& entry : net->parameters().entries()) {
        bool const scale = entry.name.ends_with("running_var") || entry.name.ends_with("normalizer.weight");
        for (float& value : net->parameters().at(entry.slice)) value = scale ? near_one(engine) : small(engine);
    }
    net->pack();
    return {std::move(net), {.threads = threads}};
}

ScheduleObservation make_state(std::mt19937& engine) {
    std::uniform_real_distribution<double> time(1, 20);
    ScheduleObservation state;
    state.proc_times = Matrix<double>(machines, ops);
    for (double& value : state.proc_times.values()) value = time(engine) < 10 ? 0 : time(engine);
    state.num_eligible.assign(ops, 3);
    state.lower_bounds.assign(ops, 30);
    state.busy_until = {0, 9, 3, 12, 5};
    state.time = 6;
    state.is_ready.assign(ops, 1);
    state.scheduled.assign(ops, 0);
    state.padding.assign(ops, 0);
    for (std::size_t o = ops - 10; o < ops; ++o) state.padding[o] = 1;
    for (std::size_t o = 0; o < ops; ++o) {
        state.job_of.push_back(o / per_job);
        state.position.push_back(o % per_job);
    }
    for (std::size_t j = 0; j < jobs; ++j) state.next_op.push_back(j * 5);
    state.mask.assign(1 + jobs * machines, 1);
    return state;
}

std::vector<Observation> make_states(std::int64_t count) {
    std::mt19937 engine(2);
    std::vector<Observation> states;
    for (std::int64_t i = 0; i < count; ++i) states.emplace_back(make_state(engine));
    return states;
}

/// Multiplications and additions of one forward pass as the network does them (costs folded into one column).
double forward_flops() {
    double const E = width, O = ops, M = machines, J = jobs, rows = O + M;
    double const projections = 2 * rows * E * (2 * E + E + 3 * E + E + 2 * E + 2 * E);
    double const mixed = 2 * O * M * E * (1 + (heads + 1) + heads + 2);
    double const attention = 4 * (O * O + M * M) * E;
    double const decoder = 2 * O * E * 3 * E + 2 * M * E * E + 2 * J * M * E * 4 + 2 * J * 3 * E * 3;
    return layers * (projections + mixed + attention) + decoder;
}

/// Processor time of this thread, which a busy machine disturbs least.
double processor_seconds(auto const& work) {
    double const start = bench::thread_seconds();
    work();
    return bench::thread_seconds() - start;
}

double seconds(auto const& work) {
    auto const start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

auto forward(Matnet const& policy, std::span<Observation const> states) {
    return [&policy, states] { benchmark::DoNotOptimize(policy.log_probs(states, LogProbKind::policy)); };
}

void matnet_forward(benchmark::State& state) {
    Matnet const policy = make_policy(1);
    std::vector<Observation> const states = make_states(state.range(0));
    bench::report_rate(state, static_cast<double>(states.size()) * forward_flops(), forward(policy, states));
    state.counters["MFLOP"] = forward_flops() / 1e6;
}

/// Input gradient with its forward pass; `of_forward` says how many forward passes that costs.
void matnet_gradient(benchmark::State& state) {
    Matnet const policy = make_policy(1);
    std::vector<Observation> const states = make_states(state.range(0));
    std::vector<double> unit(1 + jobs * machines);
    unit[7] = 1;
    std::vector<std::vector<double>> const weights(states.size(), unit);
    auto const gradient = [&] { benchmark::DoNotOptimize(policy.gradients(states, weights, LogProbKind::policy)); };
    double once = 1e30, both = 1e30;
    for (auto _ : state) {
        once = std::min(once, processor_seconds(forward(policy, states)));
        both = std::min(both, processor_seconds(gradient));
    }
    state.counters["of_forward"] = both / once;
    state.counters["per_second"] = static_cast<double>(states.size()) / both;
}

void matnet_threads(benchmark::State& state) {
    Matnet const one = make_policy(1), two = make_policy(2);
    std::vector<Observation> const states = make_states(64);
    double alone = 1e30, together = 1e30;
    for (auto _ : state) {
        alone = std::min(alone, seconds(forward(one, states)));
        together = std::min(together, seconds(forward(two, states)));
    }
    state.counters["speed_up"] = alone / together;
    state.counters["per_second"] = 64 / together;
}

/// One step of 64 episodes that share an encoding, as rollouts do it.
void matnet_decode(benchmark::State& state) {
    Matnet const policy = make_policy(1);
    std::vector<Observation> const states = make_states(64);
    auto const encoding = policy.encode(std::span(states).first(1));
    std::vector<std::size_t> const rows(states.size(), 0);
    auto const step = [&] { benchmark::DoNotOptimize(policy.decode(*encoding, rows, states, LogProbKind::policy)); };
    double fastest = 1e30;
    for (auto _ : state) fastest = std::min(fastest, processor_seconds(step));
    state.counters["per_second"] = 64 / fastest;
}

BENCHMARK(matnet_forward)->ArgName("states")->Arg(1)->Arg(3)->Arg(16);
BENCHMARK(matnet_gradient)->ArgName("states")->Arg(1)->Arg(16);
BENCHMARK(matnet_threads)->UseRealTime();
BENCHMARK(matnet_decode);

} // namespace
