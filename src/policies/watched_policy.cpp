#include "cax/policies/watched_policy.hpp"

#include <algorithm>
#include <iterator>

namespace cax {

Observation WatchedPolicy::observe(State const& state, Features const& features) const {
    return policy_.observe(state, features);
}

Observation WatchedPolicy::observe_for_decoding(State const& state) const {
    return policy_.observe_for_decoding(state);
}

Features WatchedPolicy::pull_back(State const& state, Observation const& gradient) const {
    return policy_.pull_back(state, gradient);
}

Result<void> WatchedPolicy::accepts(Observation const& observation) const { return policy_.accepts(observation); }

std::unique_ptr<Encoding> WatchedPolicy::encode(std::span<Observation const> observations) const {
    watch_.check();
    return policy_.encode(observations);
}

std::vector<LogProbs> WatchedPolicy::decode(Encoding const& encoding, std::span<std::size_t const> rows,
                                            std::span<Observation const> observations, LogProbKind kind) const {
    watch_.check();
    return policy_.decode(encoding, rows, observations, kind);
}

std::vector<LogProbs> WatchedPolicy::log_probs(std::span<Observation const> observations, LogProbKind kind) const {
    // In portions, so that no call is long; a state's answer does not depend on the others.
    constexpr std::size_t portion = 64;
    std::vector<LogProbs> all;
    for (std::size_t first = 0; first < observations.size(); first += portion) {
        watch_.check();
        auto const own = observations.subspan(first, std::min(portion, observations.size() - first));
        auto found = policy_.log_probs(own, kind);
        std::ranges::move(found, std::back_inserter(all));
    }
    return all;
}

std::vector<Policy::Gradient> WatchedPolicy::gradients(std::span<Observation const> observations,
                                                       std::span<std::vector<double> const> weights,
                                                       LogProbKind kind) const {
    watch_.check();
    return policy_.gradients(observations, weights, kind);
}

} // namespace cax
