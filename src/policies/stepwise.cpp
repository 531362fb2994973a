#include "stepwise.hpp"

#include <algorithm>
#include <limits>

namespace cax {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity(); ///< the logarithm of a probability

template <class T, class Values>
std::vector<T> for_all(Values const& values, Rest const& rest, std::size_t nodes, T elsewhere) {
    std::vector<T> all(nodes, elsewhere);
    for (std::size_t r = 0; r < rest.nodes.size(); ++r) all[rest.nodes[r]] = values[r];
    return all;
}

template <class T> void add_of_rest(std::span<T const> all, Rest const& rest, std::vector<T>& values) {
    for (std::size_t const node : rest.nodes) values.push_back(all[node]);
}

/// A gradient with zeros for what the network did not see.
GraphObservation for_all(GraphObservation gradient, Rest const& rest, std::size_t nodes) {
    Matrix<double> all(nodes, gradient.customers.cols());
    for (std::size_t r = 0; r < rest.nodes.size(); ++r)
        std::ranges::copy(gradient.customers.row(r), all.row(rest.nodes[r]).begin());
    gradient.customers = std::move(all);
    return gradient;
}

std::vector<Rest> rests_of(std::span<Observation const> observations) {
    std::vector<Rest> rests;
    for (Observation const& each : observations) rests.push_back(rest_of(each));
    return rests;
}

std::vector<Observation> seen_of(std::vector<Rest>& rests) {
    std::vector<Observation> seen;
    for (Rest& rest : rests) seen.push_back(std::move(rest.seen));
    return seen;
}

} // namespace

Rest rest_of(Observation const& state) {
    auto const& all = std::get<GraphObservation>(state);
    Rest rest;
    for (std::size_t node = 0; node < all.mask.size(); ++node)
        if (all.mask[node] != 0) rest.nodes.push_back(node);
    GraphObservation seen{.depot = {},
                          .customers = Matrix<double>(rest.nodes.size(), all.customers.cols()),
                          .context = all.context,
                          .mask = ActionMask(rest.nodes.size(), 1),
                          .placeless = all.placeless,
                          .stepwise = all.stepwise};
    for (std::size_t r = 0; r < rest.nodes.size(); ++r)
        std::ranges::copy(all.customers.row(rest.nodes[r]), seen.customers.row(r).begin());
    rest.seen = std::move(seen);
    return rest;
}

std::vector<LogProbs> StepwisePolicy::log_probs(std::span<Observation const> observations, LogProbKind kind) const {
    std::vector<Rest> rests = rests_of(observations);
    std::vector<LogProbs> result = network_->log_probs(seen_of(rests), kind);
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = for_all(result[i], rests[i], action_count(observations[i]), never);
    return result;
}

std::vector<Policy::Gradient> StepwisePolicy::gradients(std::span<Observation const> observations,
                                                        std::span<std::vector<double> const> weights,
                                                        LogProbKind kind) const {
    std::vector<Rest> rests = rests_of(observations);
    std::vector<std::vector<double>> own(weights.size());
    for (std::size_t i = 0; i < own.size(); ++i) add_of_rest<double>(weights[i], rests[i], own[i]);
    std::vector<Gradient> result = network_->gradients(seen_of(rests), own, kind);
    for (std::size_t i = 0; i < result.size(); ++i) {
        std::size_t const nodes = action_count(observations[i]);
        result[i] = {for_all(result[i].log_probs, rests[i], nodes, never),
                     for_all(std::get<GraphObservation>(std::move(result[i].gradient)), rests[i], nodes)};
    }
    return result;
}

void StepwiseLesson::begin(Observation const& reset) {
    rests_.clear();
    log_probs_.clear();
    network_->begin(reset);
}

std::vector<std::span<float const>> StepwiseLesson::decode(std::span<Observation const* const> states) {
    std::size_t const before = rests_.size();
    std::vector<Observation const*> seen;
    for (Observation const* const state : states) seen.push_back(&rests_.emplace_back(rest_of(*state)).seen);
    auto const rows = network_->decode(seen);
    std::vector<std::span<float const>> result;
    for (std::size_t i = 0; i < states.size(); ++i)
        result.emplace_back(log_probs_.emplace_back(
            for_all(rows[i], rests_[before + i], action_count(*states[i]), static_cast<float>(never))));
    return result;
}

void StepwiseLesson::backward(std::span<float const> weights, float entropy_weight, std::span<float> gradient) {
    std::vector<float> own;
    for (std::size_t i = 0; i < rests_.size(); ++i) {
        add_of_rest(weights.first(log_probs_[i].size()), rests_[i], own);
        weights = weights.subspan(log_probs_[i].size());
    }
    network_->backward(own, entropy_weight, gradient);
}

} // namespace cax
