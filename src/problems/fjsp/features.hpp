#pragma once
// What is seen of a state: the two feature tensors, the observation that a policy reads, the way back for gradients,
// and all tensors under rl4co's names.
#include "state.hpp"

namespace cax::fjsp {

/// Position of each feature tensor in ProblemInfo::tensors.
enum FeatureIndex : std::size_t { feature_proc_times, feature_num_eligible };

/// proc_times [M,O] with scheduled columns 0, num_eligible [O].
[[nodiscard]] Features features_of(State const& state);
/// Both tensors go in as they are; everything else is the state's.
[[nodiscard]] ScheduleObservation observe_state(State const& state, Features const& features,
                                                bool for_decoding = false);
/// The transpose of that: both gradients come out as they are.
[[nodiscard]] Features pull_back_gradient(State const& state, ScheduleObservation const& gradient);

/// What reset() derives from the instance and no step changes.
[[nodiscard]] NamedTensors instance_tensors(State const& state);
/// What steps change, apart from the mask and the last action.
[[nodiscard]] NamedTensors schedule_tensors(State const& state);

} // namespace cax::fjsp
