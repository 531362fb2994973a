#pragma once
// What an attribution explains: one log-probability, or the distance between two, as weights on a state's actions.
// And the loop that all methods share: observations by the batch through the policy, results in order.
#include "cax/explain/attribution.hpp"

#include <functional>

namespace cax {

/// +1 on the action, -1 on why_not.
[[nodiscard]] std::vector<double> weights_of(Decision const& decision, AttributionOptions const& options);
/// Their product with log-probabilities.
[[nodiscard]] double value_of(Decision const& decision, AttributionOptions const& options, LogProbs const& log_probs);

/// Cells with something to compute; the others get their status (no choice, another action that makes no sense).
[[nodiscard]] std::vector<std::size_t> open_cells(std::span<Decision const> decisions, AttributionOptions const& options,
                                                  std::vector<DecisionAttribution>& results);

/// One question to the policy: the features of a decision's state, changed.
struct Probe {
    std::size_t decision = 0; ///< index into the decisions
    std::size_t part = 0; ///< the method's own numbering
    std::size_t slot = 0; ///< place among the open decisions
};

/// Calls use(i, log-probabilities) for every probe in order. `observe` may be called from several threads.
void ask_log_probs(Policy const& policy, AttributionOptions const& options, std::span<Probe const> probes,
                   std::function<Observation(Probe const&)> const& observe,
                   std::function<void(Probe const&, LogProbs const&)> const& use);
/// The same with gradients of the value.
void ask_gradients(Policy const& policy, AttributionOptions const& options, std::span<Decision const> decisions,
                   std::span<Probe const> probes, std::function<Observation(Probe const&)> const& observe,
                   std::function<void(Probe const&, Policy::Gradient const&)> const& use);

void attribute_gradient(Policy const& policy, std::span<Decision const> decisions, std::span<std::size_t const> open,
                        AttributionOptions const& options, std::vector<DecisionAttribution>& results);
void attribute_integrated(Policy const& policy, std::span<Decision const> decisions, std::span<std::size_t const> open,
                          AttributionOptions const& options, std::vector<DecisionAttribution>& results);
void attribute_occlusion(Policy const& policy, std::span<Decision const> decisions, std::span<std::size_t const> open,
                         AttributionOptions const& options, std::vector<DecisionAttribution>& results);

} // namespace cax
