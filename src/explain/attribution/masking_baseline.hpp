#pragma once
// The instance without information, as features of one state: where integrated gradients start, and what occlusion
// puts in the place of what it takes away.
#include "cax/explain/attribution.hpp"

namespace cax {

/// Can everything be moved to node 0? Only where nodes lie somewhere.
[[nodiscard]] bool has_depot(Problem const& problem);
/// The state's features with every entry that exists moved to the baseline. Spent nodes stay.
[[nodiscard]] Features masking_baseline(State const& state, Features const& features, MaskingBaseline baseline);

} // namespace cax
