#pragma once
// rl4co's Euclidean distances in single precision, bit for bit, for the states of routing problems. Checkers do not use
// them: they compute their own, in double.
#include "cax/problems/point.hpp"

#include <span>
#include <vector>

namespace cax::routing {

/// sqrt(fma(dy, dy, dx*dx)): what torch computes on a CPU.
[[nodiscard]] float float_distance(Point a, Point b);

/// All pairwise distances, row by row, where that is worth its memory (up to 512 nodes, 1 MB), else empty. Many
/// episodes of one instance share it.
[[nodiscard]] std::vector<float> distance_table(std::span<Point const> points);
/// Row `from` of that table, computed if the table is empty.
void distance_row(std::span<Point const> points, std::span<float const> table, std::size_t from, std::span<float> out);

} // namespace cax::routing
