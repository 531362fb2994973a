#include "cax/solvers/lp.hpp"

namespace cax {

std::string_view name_of(LpStatus status) {
    switch (status) {
    case LpStatus::optimal: return "optimal";
    case LpStatus::infeasible: return "infeasible";
    case LpStatus::unbounded: return "unbounded";
    case LpStatus::iteration_limit: return "iteration_limit";
    case LpStatus::time_limit: return "time_limit";
    case LpStatus::numerical_failure: return "numerical_failure";
    }
    return "unknown";
}

Result<LpSolution> LpSolver::solve(LinearProgram const& program, LpLimits const& limits) const {
    auto session = open(program);
    if (!session) return session.error();
    return (*session)->solve(limits);
}

} // namespace cax
