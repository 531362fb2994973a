// The attention network as a policy at rl4co's sizes (three layers, 128 channels, 8 heads, 512 hidden units), for 51
// nodes with CVRPTW's features and 21 nodes with OP's: forward passes (encoder and one decoding step) with the share of
// the sgemm rate that their FLOPs reach, what an input gradient and a second thread cost and bring, and decoding steps
// that share an encoding. Seeds: 1 for weights, 2 for states.
#include "attention.hpp"
#include "cax/core/rng.hpp"
#include "network_policy.hpp"
#include "yardstick.hpp"

#include <algorithm>
#include <chrono>

namespace {

using namespace cax;

constexpr std::size_t width = 128, heads = 8, layers = 3, hidden = 512, depot_features = 2;

/// What a problem of that many nodes shows.
struct Sizes {
    std::size_t nodes, features, scalars;
};
Sizes sizes_of(std::int64_t nodes) { return nodes == 51 ? Sizes{51, 6, 2} : Sizes{21, 3, 1}; }

using Attention = NetworkPolicy<AttentionNetwork<float>>;

Attention make_policy(Sizes const& sizes, std::size_t threads) {
    AttentionNetwork<float>::Config config;
    config.info.problem = "routing";
    config.info.embed_dim = width;
    config.info.layers = layers;
    config.info.heads = heads;
    config.customer_features = sizes.features;
    config.context_scalars = sizes.scalars;
    config.feed_forward = hidden;
    auto net = std::make_unique<AttentionNetwork<float>>(config);
    Rng rng(1);
    for (auto const& entry : net->parameters().entries()) {
        bool const scale = entry.name.ends_with("running_var") || entry.name.ends_with("normalizer.weight");
        for (float& value : net->parameters().at(entry.slice))
            value = static_cast<float>(scale ? rng.uniform(0.8, 1.2) : rng.uniform(-0.1, 0.1));
    }
    net->pack();
    return {std::move(net), {.threads = threads}};
}

/// Half of the nodes are still to be visited.
std::vector<Observation> make_states(Sizes const& sizes, std::int64_t count) {
    std::vector<Observation> states;
    for (std::uint32_t i = 0; i < count; ++i) {
        Rng rng(2, i);
        GraphObservation state;
        state.depot = {rng.uniform(), rng.uniform()};
        state.customers = Matrix<double>(sizes.nodes - 1, sizes.features);
        for (double& value : state.customers.values()) value = rng.uniform();
        state.context.assign(sizes.scalars, 0.5);
        state.current_node = rng.below(sizes.nodes);
        for (std::size_t node = 0; node < sizes.nodes; ++node) state.mask.push_back(node % 2 == 0);
        states.emplace_back(std::move(state));
    }
    return states;
}

/// Multiplications and additions of all matrix products of one forward pass.
double forward_flops(Sizes const& sizes) {
    double const n = static_cast<double>(sizes.nodes), E = width;
    double const embedding = 2 * E * (static_cast<double>(sizes.features) * (n - 1) + depot_features);
    double const layer = 2 * n * E * (3 * E + E + 2 * hidden) + 4 * n * n * E;
    double const projections = 2 * n * E * 3 * E + 2 * E * E;
    double const step = 2 * E * (E + static_cast<double>(sizes.scalars)) + 2 * E * E + 6 * n * E;
    return embedding + layers * layer + projections + step;
}

/// Time on the wall, and of this thread alone, which a busy machine disturbs less.
double seconds(auto const& work) {
    auto const start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
double own_seconds(auto const& work) {
    double const start = bench::thread_seconds();
    work();
    return bench::thread_seconds() - start;
}

auto forward(Attention const& policy, std::span<Observation const> states) {
    return [&policy, states] { benchmark::DoNotOptimize(policy.log_probs(states, LogProbKind::policy)); };
}

void attention_forward(benchmark::State& state) {
    Sizes const sizes = sizes_of(state.range(0));
    Attention const policy = make_policy(sizes, 1);
    std::vector<Observation> const states = make_states(sizes, state.range(1));
    bench::report_rate(state, static_cast<double>(states.size()) * forward_flops(sizes), forward(policy, states));
    state.counters["MFLOP"] = forward_flops(sizes) / 1e6;
}

/// Input gradient with its forward pass; `of_forward` says how many forward passes that costs.
void attention_gradient(benchmark::State& state) {
    Sizes const sizes = sizes_of(state.range(0));
    Attention const policy = make_policy(sizes, 1);
    std::vector<Observation> const states = make_states(sizes, state.range(1));
    std::vector<double> unit(sizes.nodes);
    unit[4] = 1;
    std::vector<std::vector<double>> const weights(states.size(), unit);
    double once = 1e30, both = 1e30;
    for (auto _ : state) {
        once = std::min(once, own_seconds(forward(policy, states)));
        both = std::min(both, own_seconds([&] {
                            benchmark::DoNotOptimize(policy.gradients(states, weights, LogProbKind::policy));
                        }));
    }
    state.counters["of_forward"] = both / once;
    state.counters["per_second"] = static_cast<double>(states.size()) / both;
}

void attention_threads(benchmark::State& state) {
    Sizes const sizes = sizes_of(state.range(0));
    Attention const one = make_policy(sizes, 1), two = make_policy(sizes, 2);
    std::vector<Observation> const states = make_states(sizes, 64);
    double alone = 1e30, together = 1e30;
    for (auto _ : state) {
        alone = std::min(alone, seconds(forward(one, states)));
        together = std::min(together, seconds(forward(two, states)));
    }
    state.counters["speed_up"] = alone / together;
    state.counters["per_second"] = 64 / together;
}

/// One step of 64 episodes that share an encoding, as multi-start decoding and rollouts do it.
void attention_decode(benchmark::State& state) {
    Sizes const sizes = sizes_of(state.range(0));
    Attention const policy = make_policy(sizes, 1);
    std::vector<Observation> const states = make_states(sizes, 64);
    auto const encoding = policy.encode(std::span(states).first(1));
    std::vector<std::size_t> const rows(states.size(), 0);
    double fastest = 1e30;
    for (auto _ : state)
        fastest = std::min(fastest, own_seconds([&] {
                               benchmark::DoNotOptimize(policy.decode(*encoding, rows, states, LogProbKind::policy));
                           }));
    state.counters["per_second"] = 64 / fastest;
}

BENCHMARK(attention_forward)->ArgNames({"nodes", "states"})->ArgsProduct({{51, 21}, {1, 64}});
BENCHMARK(attention_gradient)->ArgNames({"nodes", "states"})->ArgsProduct({{51, 21}, {1, 64}});
BENCHMARK(attention_threads)->ArgName("nodes")->Arg(51)->Arg(21)->UseRealTime();
BENCHMARK(attention_decode)->ArgName("nodes")->Arg(51)->Arg(21);

} // namespace
