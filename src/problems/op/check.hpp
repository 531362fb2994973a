#pragma once
// Is this a solution? From the definition, in double precision, sharing no code with the state.
#include "cax/problems/op/instance.hpp"

namespace cax::op {

/// Relative: only the rounding of the sum itself. A tour of exactly max_length is a solution (though rl4co's mask,
/// which keeps a margin of 1e-6, never finds it).
inline constexpr double length_tolerance = 1e-9;

/// Lists everything that is wrong. No route, or an empty one, is the empty tour. The cost is the collected prize.
[[nodiscard]] CheckReport check_tour(Data const& data, Routes const& solution, DistanceRule rule);

} // namespace cax::op
