#pragma once
// What an attribution explains: one log-probability, or the distance between two, as weights on a state's actions.
// And the loop that all methods share: observations by the batch through the policy, results in order.
#include "cax/explain/attribution.hpp"

#include <functional>

namespace cax {

/// +1 on the action, -1 on why_not.
[[nodiscard]] std::vector<double> weights_of(Cell const& cell, AttributionOptions const& options);
/// Their product with log-probabilities.
[[nodiscard]] double value_of(Cell const& cell, AttributionOptions const& options, LogProbs const& log_probs);

/// Cells with something to compute; the others get their status (no choice, another action that makes no sense).
[[nodiscard]] std::vector<std::size_t> open_cells(std::span<Cell const> cells, AttributionOptions const& options,
                                                  std::vector<CellAttribution>& results);

/// One question to the policy: the features of a cell's state, changed.
struct Probe {
    std::size_t cell = 0; ///< index into the cells
    std::size_t part = 0; ///< the method's own numbering
    std::size_t slot = 0; ///< place among the open cells
};

/// Calls use(i, log-probabilities) for every probe in order. `observe` may be called from several threads.
void ask_log_probs(Policy const& policy, AttributionOptions const& options, std::span<Probe const> probes,
                   std::function<Observation(Probe const&)> const& observe,
                   std::function<void(Probe const&, LogProbs const&)> const& use);
/// The same with gradients of the value.
void ask_gradients(Policy const& policy, AttributionOptions const& options, std::span<Cell const> cells,
                   std::span<Probe const> probes, std::function<Observation(Probe const&)> const& observe,
                   std::function<void(Probe const&, Policy::Gradient const&)> const& use);

void attribute_gradient(Policy const& policy, std::span<Cell const> cells, std::span<std::size_t const> open,
                        AttributionOptions const& options, std::vector<CellAttribution>& results);
void attribute_integrated(Policy const& policy, std::span<Cell const> cells, std::span<std::size_t const> open,
                          AttributionOptions const& options, std::vector<CellAttribution>& results);
void attribute_occlusion(Policy const& policy, std::span<Cell const> cells, std::span<std::size_t const> open,
                         AttributionOptions const& options, std::vector<CellAttribution>& results);

} // namespace cax
