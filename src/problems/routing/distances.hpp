#pragma once
// Distances: rl4co's, in single precision and bit for bit, for the states of routing problems; and exact ones for
// linear programs and searches, which are not bound to rl4co's arithmetic. Checkers use neither (check.hpp).
#include "cax/core/matrix.hpp"
#include "cax/problems/point.hpp"

#include <span>

namespace cax::routing {

/// sqrt(fma(dy, dy, dx*dx)): what torch computes on a CPU.
[[nodiscard]] float float_distance(Point a, Point b);

/// In double precision from float32 coordinates.
[[nodiscard]] double arc_length(Point a, Point b);
/// All of them.
[[nodiscard]] Matrix<double> exact_distances(std::span<Point const> points);

} // namespace cax::routing
