#pragma once
// What a policy sees: rl4co's feature tensors of a state, the observation made of them, and the way back for gradients.
#include "state.hpp"

namespace cax::cvrptw {

/// Position of each feature tensor in ProblemInfo::tensors.
enum FeatureIndex : std::size_t { feature_locs, feature_demand, feature_time_windows, feature_durations };

/// locs [N+1, 2], demand [N], time_windows [N+1, 2], durations [N+1]. They do not change during an episode.
[[nodiscard]] Features features_of(Instance const& instance);
/// Depot: its place. Customer: x, y, demand, window opening, window closing, service time. Context: capacity left,
/// clock; both are constants of the state.
[[nodiscard]] Observation observe_state(State const& state, Features const& features);
/// The context, place and mask of that observation alone, without node features.
[[nodiscard]] Observation observe_vehicle(State const& state);
/// The transpose of observe_state.
[[nodiscard]] Features pull_back_gradient(Instance const& instance, Observation const& gradient);

} // namespace cax::cvrptw
