#include "brute_force.hpp"
#include "cax/solvers/lp_audit.hpp"

#include <array>
#include <gtest/gtest.h>
#include <limits>

namespace cax {
namespace {

/// min 2x + 3y, x + y >= 4, x <= 3, y >= 0: optimum (3, 1) = 9 with price 3 on the row and -1 on x <= 3.
LinearProgram small() {
    LinearProgram program(Sense::minimise, 1);
    auto const x = program.add_column(between(0, 3), 2);
    auto const y = program.add_column(at_least(0), 3);
    program.add_row(at_least(4), 0, std::array{Term{x, 1}, Term{y, 1}});
    return program;
}

LpSolution by_hand() {
    LpSolution solution;
    solution.status = LpStatus::optimal;
    solution.objective = 9;
    solution.primal = {3, 1};
    solution.dual = {3};
    solution.reduced_costs = {-1, 0};
    return solution;
}

TEST(LpAudit, AcceptsAnOptimumFoundByHand) {
    LpAudit const result = audit(small(), by_hand());
    EXPECT_EQ(result.primal_residual, 0);
    EXPECT_EQ(result.dual_residual, 0);
    EXPECT_EQ(result.gap, 0);
    EXPECT_TRUE(result.within(0));
}

TEST(LpAudit, SeesAPrimalThatBreaksARow) {
    LpSolution solution = by_hand();
    solution.primal = {3, 0.5};
    EXPECT_NEAR(audit(small(), solution).primal_residual, 0.5 / 5, 1e-12);
}

TEST(LpAudit, SeesAPrimalThatBreaksABound) {
    LpSolution solution = by_hand();
    solution.primal = {3.4, 0.6};
    EXPECT_NEAR(audit(small(), solution).primal_residual, 0.4 / 4, 1e-12);
}

TEST(LpAudit, SeesAPriceThatIsTooHighForAColumn) {
    LpSolution solution = by_hand();
    solution.dual = {3.5}; // y would have reduced cost -0.5, but no upper bound
    EXPECT_NEAR(audit(small(), solution).dual_residual, 0.5 / 4.5, 1e-12);
}

TEST(LpAudit, SeesAPriceOfTheWrongSign) {
    LpSolution solution = by_hand();
    solution.dual = {-1};
    EXPECT_NEAR(audit(small(), solution).dual_residual, 1 / 2.0, 1e-12);
}

TEST(LpAudit, SeesAGapBetweenTwoFeasibleVectors) {
    LpSolution solution = by_hand();
    solution.primal = {3, 2}; // feasible, costs 12
    EXPECT_NEAR(audit(small(), solution).gap, 3 / 13.0, 1e-12);
    solution = by_hand();
    solution.dual = {2}; // feasible, bound 8
    EXPECT_NEAR(audit(small(), solution).gap, 1 / 10.0, 1e-12);
}

TEST(LpAudit, NeverPassesNotANumber) {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    LpSolution solution = by_hand();
    solution.primal = {3, nan};
    EXPECT_FALSE(audit(small(), solution).within(1e9));
    solution = by_hand();
    solution.dual = {nan};
    EXPECT_FALSE(audit(small(), solution).within(1e9));
}

TEST(LpAudit, RejectsEveryPerturbedDualOfANondegenerateProgram) {
    Rng rng(4);
    int perturbed = 0;
    for (int k = 0; k < 400; ++k) {
        LinearProgram const program = test::random_program(rng, 3, 3);
        auto const optimum = test::brute_force(program);
        if (!optimum || test::touches_far_away(optimum->primal)) continue;
        auto const vertices = test::dual_vertices(program, optimum->primal);
        bool unique = !vertices.empty();
        for (auto const& y : vertices) {
            for (std::size_t i = 0; i < y.size(); ++i) unique = unique && std::abs(y[i] - vertices[0][i]) < 1e-9;
        }
        if (!unique) continue;
        LpSolution solution;
        solution.status = LpStatus::optimal;
        solution.primal = optimum->primal;
        solution.dual = vertices[0];
        EXPECT_TRUE(audit(program, solution).within(1e-9)) << "program " << k;
        for (std::size_t i = 0; i < solution.dual.size(); ++i) {
            for (double step : {1e-3, -1e-3}) {
                LpSolution other = solution;
                other.dual[i] += step;
                EXPECT_FALSE(audit(program, other).within(1e-6)) << "program " << k << ", row " << i;
                ++perturbed;
            }
        }
    }
    EXPECT_GT(perturbed, 100);
}

} // namespace
} // namespace cax
