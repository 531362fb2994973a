#include "relaxation_checks.hpp"

#include "cax/solvers/lp.hpp"
#include "cax/solvers/lp_audit.hpp"

#include <gtest/gtest.h>

namespace cax::test {
namespace {

/// Both sides of a row, moved.
Bounds moved(Bounds bounds, double by) { return {bounds.lower + by, bounds.upper + by}; }

LpSolution solution_of(LinearProgram const& program) {
    auto solution = clp_solver().solve(program);
    EXPECT_TRUE(solution);
    EXPECT_EQ(solution->status, LpStatus::optimal);
    return *solution;
}

} // namespace

double optimum_of(LinearProgram const& program) { return solution_of(program).objective; }

void expect_duals_between_finite_differences(LinearProgram const& program, std::size_t stride) {
    LpSolution const solution = solution_of(program);
    auto session = clp_solver().open(program);
    ASSERT_TRUE(session);
    // Small enough for equality rows to stay satisfiable where they can be moved at all.
    constexpr double step = 1e-4;
    double const sign = program.sense() == Sense::minimise ? 1 : -1;
    std::size_t checked = 0;
    for (std::size_t i = 0; i < program.rows(); i += stride) {
        for (double const by : {step, -step}) {
            (*session)->set_row_bounds(i, moved(program.row_bounds(i), by));
            auto const there = (*session)->solve();
            ASSERT_TRUE(there);
            if (there->status != LpStatus::optimal) continue; // an implied equality cannot be moved
            // Values are convex (minimisation) in the right-hand side: the tangent lies below.
            double const above_tangent = sign * (there->objective - solution.objective - by * solution.dual[i]);
            EXPECT_GE(above_tangent, -1e-9 * (1 + std::abs(solution.objective))) << "row " << i << " moved by " << by;
            ++checked;
        }
        (*session)->set_row_bounds(i, program.row_bounds(i));
    }
    EXPECT_GT(checked, program.rows() / stride);
}

void expect_feasible(LinearProgram const& program, std::span<double const> x) {
    ASSERT_EQ(x.size(), program.columns());
    LpSolution point;
    point.status = LpStatus::optimal;
    point.primal.assign(x.begin(), x.end());
    point.dual.assign(program.rows(), 0);
    EXPECT_LE(audit(program, point).primal_residual, 1e-6);
}

std::vector<std::size_t> random_actions(Instance const& instance, Rng& rng) {
    StatePtr const state = instance.reset();
    std::vector<std::size_t> actions;
    while (!state->done()) {
        std::vector<std::size_t> allowed;
        for (std::size_t a = 0; a < state->action_mask().size(); ++a) {
            if (state->action_mask()[a]) allowed.push_back(a);
        }
        actions.push_back(allowed[rng.below(allowed.size())]);
        state->step(actions.back());
    }
    return actions;
}

} // namespace cax::test
