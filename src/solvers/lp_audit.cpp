#include "cax/solvers/lp_audit.hpp"

#include "lp_worth.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax {
namespace {

double primal_residual(LinearProgram const& program, std::span<double const> x) {
    double worst = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
        Bounds const bounds = program.column_bounds(j);
        worst = std::max(worst, outside(x[j], bounds) / (1 + size_of(bounds)));
    }
    for (std::size_t i = 0; i < program.rows(); ++i) {
        double size = size_of(program.row_bounds(i));
        for (Term const& term : program.terms(i)) size = std::max(size, std::abs(term.coefficient * x[term.column]));
        worst = std::max(worst, outside(row_activity(program, i, x), program.row_bounds(i)) / (1 + size));
    }
    return worst;
}

} // namespace

LpAudit audit(LinearProgram const& program, LpSolution const& solution) {
    assert(solution.status == LpStatus::optimal);
    assert(solution.primal.size() == program.columns() && solution.dual.size() == program.rows());
    double const sign = program.sense() == Sense::minimise ? 1 : -1;
    LpAudit result;
    result.primal_residual = primal_residual(program, solution.primal);

    // Prices are compared with the largest one, reduced costs with the numbers they are differences of.
    double largest_price = 0;
    for (double y : solution.dual) largest_price = std::max(largest_price, std::abs(y));
    std::vector<double> size(program.columns());
    for (std::size_t j = 0; j < size.size(); ++j) size[j] = std::abs(program.objective(j));
    double dual_objective = 0;
    for (std::size_t i = 0; i < program.rows(); ++i) {
        Worth const row = worth_of(sign * solution.dual[i], program.row_bounds(i));
        dual_objective += row.value;
        result.dual_residual = std::max(result.dual_residual, row.wrong / (1 + largest_price));
        for (Term const& term : program.terms(i)) {
            size[term.column] = std::max(size[term.column], std::abs(term.coefficient * solution.dual[i]));
        }
    }
    std::vector<double> const d = reduced_costs(program, solution.dual);
    for (std::size_t j = 0; j < d.size(); ++j) {
        Worth const column = worth_of(sign * d[j], program.column_bounds(j));
        dual_objective += column.value;
        result.dual_residual = std::max(result.dual_residual, column.wrong / (1 + size[j]));
    }
    double const objective = sign * objective_value(program, solution.primal);
    result.gap = std::abs(objective - dual_objective) / (1 + std::abs(objective));
    // Not-a-number must not pass for small: max() above drops it, the gap does not.
    if (!std::isfinite(dual_objective) || !std::isfinite(objective)) result.gap = lp_infinity;
    return result;
}

} // namespace cax
