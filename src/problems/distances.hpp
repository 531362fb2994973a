#pragma once
// rl4co's Euclidean distances in single precision, bit for bit, for the states of routing problems. Checkers do not use
// them: they compute their own, in double.
#include "cax/problems/point.hpp"

namespace cax {

/// sqrt(fma(dy, dy, dx*dx)): what torch computes on a CPU.
[[nodiscard]] float float_distance(Point a, Point b);

} // namespace cax
