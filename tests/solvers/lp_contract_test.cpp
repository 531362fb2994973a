// What every LpSolver must do. A new one adds itself to the list at the end.
#include "brute_force.hpp"
#include "cax/core/parallel.hpp"
#include "cax/solvers/lp.hpp"
#include "cax/solvers/lp_audit.hpp"

#include <array>
#include <gtest/gtest.h>

namespace cax {
namespace {

class LpContract : public testing::TestWithParam<LpSolver const*> {
protected:
    [[nodiscard]] LpSolution solve(LinearProgram const& program, LpLimits limits = {}) const {
        auto solution = GetParam()->solve(program, limits);
        EXPECT_TRUE(solution) << solution.error().message;
        return solution ? *solution : LpSolution{};
    }
};

/// A bakery: bread and cake, 3x + 2y <= 12 flour, x + 2y <= 8 oven; max 5x + 4y. Optimum (2, 3) = 22.
LinearProgram bakery(Sense sense = Sense::maximise) {
    double const sign = sense == Sense::maximise ? 1 : -1;
    LinearProgram program(sense, 2);
    auto const x = program.add_column(at_least(0), sign * 5);
    auto const y = program.add_column(at_least(0), sign * 4);
    program.add_row(at_most(12), 0, std::array{Term{x, 3}, Term{y, 2}});
    program.add_row(at_most(8), 1, std::array{Term{x, 1}, Term{y, 2}});
    return program;
}

TEST_P(LpContract, SolvesAProgramThatAPersonCanCheck) {
    LpSolution const solution = solve(bakery());
    ASSERT_EQ(solution.status, LpStatus::optimal);
    EXPECT_NEAR(solution.objective, 22, 1e-9);
    EXPECT_NEAR(solution.primal[0], 2, 1e-9);
    EXPECT_NEAR(solution.primal[1], 3, 1e-9);
}

TEST_P(LpContract, GivesDualsAsChangeOfTheObjectivePerUnitOfTheRightHandSide) {
    LpSolution const most = solve(bakery());
    EXPECT_NEAR(most.dual[0], 1.5, 1e-9); // one more unit of flour earns 1.5
    EXPECT_NEAR(most.dual[1], 0.5, 1e-9);
    LpSolution const least = solve(bakery(Sense::minimise)); // the same, with costs that are negative
    EXPECT_NEAR(least.objective, -22, 1e-9);
    EXPECT_NEAR(least.dual[0], -1.5, 1e-9);
    EXPECT_NEAR(least.dual[1], -0.5, 1e-9);
}

TEST_P(LpContract, GivesReducedCostsThatAgreeWithTheDuals) {
    Rng rng(11);
    for (int k = 0; k < 100; ++k) {
        LinearProgram const program = test::random_program(rng, 5, 5);
        LpSolution const solution = solve(program);
        if (solution.status != LpStatus::optimal) continue;
        std::vector<double> const expected = reduced_costs(program, solution.dual);
        for (std::size_t j = 0; j < expected.size(); ++j) EXPECT_NEAR(solution.reduced_costs[j], expected[j], 1e-8);
    }
}

TEST_P(LpContract, CallsAProgramWithoutAPointInfeasible) {
    LinearProgram program = bakery();
    program.add_row(at_least(100), no_family, std::array{Term{0, 1}, Term{1, 1}});
    LpSolution const solution = solve(program);
    EXPECT_EQ(solution.status, LpStatus::infeasible);
    EXPECT_TRUE(solution.dual.empty());
}

TEST_P(LpContract, CallsAProgramWithoutALimitUnbounded) {
    LinearProgram program(Sense::maximise, 1);
    program.add_column(at_least(0), 1);
    program.add_column(at_least(0), 0);
    program.add_row(at_least(1), 0, std::array{Term{0, 1}, Term{1, 1}});
    EXPECT_EQ(solve(program).status, LpStatus::unbounded);
}

TEST_P(LpContract, CallsAProgramThatIsBothInfeasibleAndUnboundedInfeasible) {
    LinearProgram program(Sense::maximise, 1);
    program.add_column(at_least(0), 1);
    program.add_column(at_least(0), 0);
    program.add_row(at_most(-1), 0, std::array{Term{1, 1}});
    EXPECT_EQ(solve(program).status, LpStatus::infeasible);
}

TEST_P(LpContract, SolvesProgramsWithoutRows) {
    LinearProgram program(Sense::maximise, 1);
    program.add_column(between(0, 4), 2);
    program.add_column(between(-1, 4), -1);
    LpSolution const solution = solve(program);
    ASSERT_EQ(solution.status, LpStatus::optimal);
    EXPECT_NEAR(solution.objective, 9, 1e-9);
    EXPECT_EQ(solution.primal.size(), 2u);
    EXPECT_TRUE(solution.dual.empty());
    LinearProgram unbounded(Sense::maximise, 1);
    unbounded.add_column(at_least(0), 1);
    EXPECT_EQ(solve(unbounded).status, LpStatus::unbounded);
}

TEST_P(LpContract, SolvesProgramsWithoutColumns) {
    LinearProgram feasible(Sense::minimise, 1);
    feasible.add_row(between(-1, 1), 0, {});
    EXPECT_EQ(solve(feasible).status, LpStatus::optimal);
    LinearProgram infeasible(Sense::minimise, 1);
    infeasible.add_row(at_least(1), 0, {});
    EXPECT_EQ(solve(infeasible).status, LpStatus::infeasible);
    EXPECT_EQ(solve(LinearProgram()).status, LpStatus::optimal);
}

TEST_P(LpContract, StopsAtTheIterationLimit) {
    Rng rng(5);
    LinearProgram program(Sense::minimise, 1);
    for (int j = 0; j < 40; ++j) program.add_column(at_least(0), rng.uniform(1, 2));
    for (int i = 0; i < 40; ++i) {
        std::vector<Term> terms;
        for (std::size_t j = 0; j < 40; ++j) terms.push_back({j, rng.uniform(0, 1)});
        program.add_row(at_least(rng.uniform(1, 2)), 0, terms);
    }
    EXPECT_EQ(solve(program, {.iterations = 1, .seconds = 0}).status, LpStatus::iteration_limit);
    EXPECT_EQ(solve(program).status, LpStatus::optimal);
}

TEST_P(LpContract, RefusesAProgramThatIsNone) {
    LinearProgram program = bakery();
    program.add_row(at_least(0), 0, std::array{Term{7, 1}});
    auto const solution = GetParam()->solve(program);
    ASSERT_FALSE(solution);
    EXPECT_EQ(solution.error().message, "row 2: column 7 does not exist");
}

TEST_P(LpContract, FindsWhatBruteForceFinds) {
    Rng rng(1);
    int optimal = 0;
    int infeasible = 0;
    int unbounded = 0;
    for (int k = 0; k < 1500; ++k) {
        LinearProgram const program = test::random_program(rng, 3, 4);
        LpSolution const solution = solve(program);
        auto const expected = test::brute_force(program);
        if (!expected) {
            EXPECT_EQ(solution.status, LpStatus::infeasible) << "program " << k;
            ++infeasible;
        } else if (test::touches_far_away(expected->primal) && std::abs(expected->objective) > 100) {
            EXPECT_EQ(solution.status, LpStatus::unbounded) << "program " << k;
            ++unbounded;
        } else {
            ASSERT_EQ(solution.status, LpStatus::optimal) << "program " << k;
            EXPECT_NEAR(solution.objective, expected->objective, 1e-6) << "program " << k;
            EXPECT_TRUE(audit(program, solution).within(1e-9)) << "program " << k;
            ++optimal;
        }
    }
    EXPECT_GT(optimal, 100);
    EXPECT_GT(infeasible, 100);
    EXPECT_GT(unbounded, 50);
}

TEST_P(LpContract, SolvesAgainAfterBoundsChanged) {
    auto session = GetParam()->open(bakery());
    ASSERT_TRUE(session);
    ASSERT_TRUE((*session)->solve());
    (*session)->set_row_bounds(0, at_most(13));
    auto more_flour = (*session)->solve();
    ASSERT_TRUE(more_flour);
    EXPECT_NEAR(more_flour->objective, 23.5, 1e-9);
    (*session)->set_column_bounds(1, exactly(0));
    auto only_bread = (*session)->solve();
    ASSERT_TRUE(only_bread);
    EXPECT_NEAR(only_bread->objective, 5 * 13 / 3.0, 1e-9);
    (*session)->set_row_bounds(1, at_least(9));
    auto impossible = (*session)->solve();
    ASSERT_TRUE(impossible);
    EXPECT_EQ(impossible->status, LpStatus::infeasible);
    (*session)->set_row_bounds(1, at_most(8));
    (*session)->set_row_bounds(0, at_most(12));
    (*session)->set_column_bounds(1, at_least(0));
    auto as_before = (*session)->solve();
    ASSERT_TRUE(as_before);
    EXPECT_NEAR(as_before->objective, 22, 1e-9);
}

TEST_P(LpContract, GivesTheSameBytesOnEveryThread) {
    Rng rng(3);
    LinearProgram program(Sense::minimise, 1);
    for (int j = 0; j < 30; ++j) program.add_column(between(0, 1), rng.uniform(0, 1));
    for (int i = 0; i < 20; ++i) {
        std::vector<Term> terms;
        for (std::size_t j = 0; j < 30; ++j) terms.push_back({j, rng.uniform(0, 1)});
        program.add_row(at_least(rng.uniform(1, 3)), 0, terms);
    }
    LpSolution const expected = solve(program);
    std::vector<LpSolution> solutions(16);
    parallel_for(solutions.size(), 4, [&](std::size_t k, std::size_t) { solutions[k] = solve(program); });
    for (LpSolution const& solution : solutions) {
        EXPECT_EQ(solution.primal, expected.primal);
        EXPECT_EQ(solution.dual, expected.dual);
    }
}

INSTANTIATE_TEST_SUITE_P(Solvers, LpContract, testing::Values(&clp_solver()),
                         [](auto const& solver) { return std::string(solver.param->name()); });

TEST(LpStatusNames, AreTheEnumerators) {
    EXPECT_EQ(name_of(LpStatus::optimal), "optimal");
    EXPECT_EQ(name_of(LpStatus::numerical_failure), "numerical_failure");
}

} // namespace
} // namespace cax
