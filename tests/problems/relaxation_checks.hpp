#pragma once
// What holds for every linear relaxation, whoever wrote it.
#include "cax/model/linear_program.hpp"
#include "cax/problems/problem.hpp"

#include <vector>

namespace cax::test {

/// Expects an optimum and returns its value.
double optimum_of(LinearProgram const& program);

/// A price is a slope of the optimal value in the row's right-hand side, so it lies between the slopes to either side
/// of it: checked by moving the right-hand side of every `stride`-th row.
void expect_duals_between_finite_differences(LinearProgram const& program, std::size_t stride);

/// Every row and bound holds at x, up to rounding.
void expect_feasible(LinearProgram const& program, std::span<double const> x);

/// A finished episode of random allowed actions.
[[nodiscard]] std::vector<std::size_t> random_actions(Instance const& instance, Rng& rng);

/// Column of x_ij where pairs of different nodes are numbered lexicographically.
[[nodiscard]] inline std::size_t arc(std::size_t nodes, std::size_t i, std::size_t j) {
    return i * (nodes - 1) + j - (j > i ? 1 : 0);
}

} // namespace cax::test
