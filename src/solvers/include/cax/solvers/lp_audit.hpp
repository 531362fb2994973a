#pragma once
// A second look at an LP solution that trusts no solver: everything is computed again from the program and the two
// vectors. Small numbers prove the answer: a feasible primal and a feasible dual with no gap between them are optimal.
#include "cax/model/linear_program.hpp"
#include "cax/solvers/lp.hpp"

namespace cax {

/// All relative to 1 + the size of the numbers that were compared.
struct LpAudit {
    double primal_residual = 0; ///< how far the primal is outside a row or a bound, at worst
    double dual_residual = 0;   ///< how far a price or a reduced cost has the wrong sign, at worst
    double gap = 0;             ///< |primal objective - dual objective|
    [[nodiscard]] bool within(double tolerance) const {
        return primal_residual <= tolerance && dual_residual <= tolerance && gap <= tolerance;
    }
};

/// Precondition: solution.status is optimal.
[[nodiscard]] LpAudit audit(LinearProgram const& program, LpSolution const& solution);

} // namespace cax
