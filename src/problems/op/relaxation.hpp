#pragma once
// The linear relaxation of an OP instance: x_ij in [0,1] says whether the tour goes from i to j, z_i >= 0 whether it
// visits i, u_i in [0,N+1] is i's place in the tour; the collected prize is maximised. Arithmetic is double precision
// on the instance's float32 numbers.
#include "cax/core/result.hpp"
#include "cax/model/linear_program.hpp"
#include "cax/problems/op/instance.hpp"

namespace cax::op {

/// Error if the instance has more nodes than a program of this kind can hold. Rows, in this order (n = N+1 nodes):
///   prize    z_0 = 1; z_i <= 1 of each customer
///   budget   sum d_ij x_ij <= the state's max_length of the depot
///   spatial  z_i = in-degree and z_i = out-degree of each node (the depot's in-degree is redundant);
///            u_j >= u_i + 1 - n (1 - x_ij) for customers i != j, lexicographic
[[nodiscard]] Result<LinearProgram> relaxation(Instance const& instance);

} // namespace cax::op
