#pragma once
// What a policy sees: rl4co's feature tensors of a state, the observation made of them, and the way back for gradients.
#include "state.hpp"

namespace cax::op {

/// Position of each feature tensor in ProblemInfo::tensors.
enum FeatureIndex : std::size_t { feature_locs, feature_prize, feature_max_length };

/// locs [N+1, 2], prize [N+1], max_length [N+1] (the limits on arrival). They do not change during an episode.
[[nodiscard]] Features features_of(Instance const& instance);
/// Depot: its place. Customer: x, y, prize. Context: max_length of the depot minus the length so far. The limits of the
/// customers act through the mask alone, which is a constant of the state.
[[nodiscard]] Observation observe_state(State const& state, Features const& features);
/// The context, place and mask of that observation alone, without node features.
[[nodiscard]] Observation observe_vehicle(State const& state);
/// The transpose of observe_state.
[[nodiscard]] Features pull_back_gradient(Instance const& instance, Observation const& gradient);

} // namespace cax::op
