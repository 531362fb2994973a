#pragma once
// The linear relaxation of a CVRPTW instance: x_ij in [0,1] says whether a vehicle drives from i to j, a_i in its
// window is the arrival at i, u_i in [0,Q] the load after i; the length is minimised. Vehicles have capacity Q = 1,
// as the state has it. Arithmetic is double precision on the instance's float32 numbers.
#include "cax/core/result.hpp"
#include "cax/model/linear_program.hpp"
#include "cax/problems/cvrptw/instance.hpp"

namespace cax::cvrptw {

/// Error if the instance has more nodes than a program of this kind can hold. Rows, in this order:
///   spatial      out-degree = 1 and in-degree = 1 of each customer; depot balance (redundant)
///   capacity     u_j >= u_i + q_j - Q (1 - x_ij) for i != j, j != 0, lexicographic; u_i >= q_i
///   time_window  a_j >= a_i + d_ij + s_i - M (1 - x_ij) for the same pairs, M = latest close + (N+1) max d
[[nodiscard]] Result<LinearProgram> relaxation(Instance const& instance);

} // namespace cax::cvrptw
