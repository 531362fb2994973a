#pragma once
// The naive way to solve a linear program and to describe its optimal duals: try every way to make as many constraints
// tight as there are variables. For programs of a handful of rows and columns.
#include "cax/core/rng.hpp"
#include "cax/model/linear_program.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace cax::test {

/// Small whole numbers, all kinds of rows, many ties. Two families.
[[nodiscard]] LinearProgram random_program(Rng& rng, std::size_t max_columns, std::size_t max_rows);

/// Infinite bounds are cut off here; an optimum that touches it is called unbounded.
inline constexpr double far_away = 1e4;

struct BruteForceOptimum {
    double objective = 0;
    std::vector<double> primal;
};
/// Nothing if infeasible; check touches_far_away before believing an optimum.
[[nodiscard]] std::optional<BruteForceOptimum> brute_force(LinearProgram const& program);
[[nodiscard]] bool touches_far_away(std::span<double const> point);

/// Every vertex of the optimal dual face, cut into orthants, inside the box |y| <= far_away. Linear functions and sums
/// of |y| take their extremes over the box at one of them.
[[nodiscard]] std::vector<std::vector<double>> dual_vertices(LinearProgram const& program,
                                                             std::span<double const> primal);

} // namespace cax::test
