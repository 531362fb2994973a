#pragma once
// Is this schedule valid? Judged from the definition in double precision, sharing nothing with the state's transitions.
#include "cax/problems/fjsp/instance.hpp"

namespace cax::fjsp {

/// Every operation exactly once, on an eligible machine, not before 0, after the operation before it in its job, and no
/// two at a time on one machine. Times may be off by 1e-9 of the makespan. Lists every violation; cost = makespan.
[[nodiscard]] CheckReport check_solution(Instance const& instance, Solution const& solution);

} // namespace cax::fjsp
