#pragma once
// The linear relaxation of an FJSP instance: x_om in [0,1] says whether operation o runs on its eligible machine m, c_o
// is its completion; the makespan is minimised. Machines may do any number of operations at a time.
#include "cax/core/result.hpp"
#include "cax/model/linear_program.hpp"
#include "cax/problems/fjsp/instance.hpp"

namespace cax::fjsp {

/// Padding and machines that are not eligible have no columns. Rows, in this order:
///   eligibility  sum_m x_om = 1 of each operation (which implies x_om <= 1)
///   precedence   per job: c_first >= its duration; c_next >= c_previous + duration; makespan >= c_last
[[nodiscard]] Result<LinearProgram> relaxation(Instance const& instance);

} // namespace cax::fjsp
