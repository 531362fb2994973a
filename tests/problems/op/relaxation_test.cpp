#include "../relaxation_checks.hpp"
#include "cax/problems/op/instance.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/registry.hpp"
#include "cax/solvers/lp.hpp"

#include <gtest/gtest.h>

namespace cax::op {
namespace {

enum Family : std::size_t { prize, budget, spatial };

std::shared_ptr<Instance const> make(Data data) {
    auto instance = Instance::make(std::move(data));
    EXPECT_TRUE(instance) << instance.error().message;
    return *instance;
}

/// Depot (0, 0); customer 1 at (3, 4) worth 1; customer 2 at (6, 8) worth 2.
Data two_customers(float max_length) {
    Data data;
    data.locs = {{0, 0}, {3, 4}, {6, 8}};
    data.prize = {0, 1, 2};
    data.max_length = max_length;
    return data;
}

TEST(OpRelaxation, KnowsItsFamiliesByTheirPlaces) {
    auto const& families = find_problem("op")->info().families;
    EXPECT_EQ(families[prize], "prize");
    EXPECT_EQ(families[budget], "budget");
    EXPECT_EQ(families[spatial], "spatial");
}

TEST(OpRelaxation, HasTheRowsOfTheFormulation) {
    Rng rng(1);
    LinearProgram const program = *relaxation_of(*(*find_problem("op")->generate("20", {}, rng)));
    EXPECT_EQ(program.columns(), 21u * 20 + 21 + 21);
    EXPECT_EQ(program.rows_of(prize), 21u);
    EXPECT_EQ(program.rows_of(budget), 1u);
    EXPECT_EQ(program.rows_of(spatial), 422u);
}

/// Columns: x01 x02 x10 x12 x20 x21 = 0..5, visits 6..8, places 9..11.
TEST(OpRelaxation, WritesEachRowInItsPlace) {
    LinearProgram const program = *relaxation_of(*make(two_customers(20)));
    ASSERT_EQ(program.rows(), 3u + 1 + 6 + 2);
    EXPECT_TRUE(program.is_equality(0));
    EXPECT_EQ(program.terms(0)[0].column, 6u);
    EXPECT_EQ(program.row_bounds(2).upper, 1);
    EXPECT_NEAR(program.row_bounds(3).upper, 20 - 1e-6, 1e-5);
    EXPECT_LT(program.row_bounds(3).upper, 20);
    EXPECT_NEAR(program.terms(3)[5].coefficient, 5, 1e-9); // d21
    EXPECT_TRUE(program.is_redundant(4));                  // the depot is entered
    EXPECT_FALSE(program.is_redundant(5));                 // and left
    EXPECT_EQ(program.terms(6)[0].column, 0u);             // customer 1 is entered from the depot
    EXPECT_EQ(program.terms(6)[2].column, 7u);
    EXPECT_EQ(program.terms(6)[2].coefficient, 1);
    EXPECT_EQ(program.terms(6)[0].coefficient, -1);
    EXPECT_EQ(program.terms(10)[2].coefficient, -3); // u2 - u1 - n x12 >= 1 - n
    EXPECT_EQ(program.row_bounds(10).lower, -2);
    EXPECT_EQ(program.column_bounds(11).upper, 3);
}

TEST(OpRelaxation, CollectsEverythingWithinALongBudget) {
    EXPECT_NEAR(test::optimum_of(*relaxation_of(*make(two_customers(30)))), 3, 1e-6);
}

TEST(OpRelaxation, IsInfeasibleIfNoCustomerIsWithinReach) { // the depot must be left
    auto const solution = clp_solver().solve(*relaxation_of(*make(two_customers(9))));
    ASSERT_TRUE(solution);
    EXPECT_EQ(solution->status, LpStatus::infeasible);
}

TEST(OpRelaxation, PricesTheBudgetOnlyWhenItIsShort) {
    LinearProgram const enough = *relaxation_of(*make(two_customers(30)));
    EXPECT_NEAR(clp_solver().solve(enough)->dual[3], 0, 1e-9);
    LinearProgram const tight = *relaxation_of(*make(two_customers(15)));
    EXPECT_GT(clp_solver().solve(tight)->dual[3], 0.01);
}

TEST(OpRelaxation, IsZeroWithoutPrizes) {
    Data data = two_customers(20);
    data.prize = {0, 0, 0};
    EXPECT_NEAR(test::optimum_of(*relaxation_of(*make(data))), 0, 1e-9);
}

TEST(OpRelaxation, ContainsEverySolution) {
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        Rng rng(7, seed);
        auto const instance = std::dynamic_pointer_cast<Instance const>(*find_problem("op")->generate("10", {}, rng));
        ASSERT_TRUE(instance);
        auto const solution = instance->solution_of(test::random_actions(*instance, rng));
        ASSERT_TRUE(solution);
        auto const& routes = std::get<Routes>(*solution).routes;
        if (routes.empty() || routes[0].empty()) continue; // the program asks for a tour
        std::size_t const nodes = instance->nodes();
        std::vector<double> x(nodes * (nodes - 1) + 2 * nodes);
        double* const visit = x.data() + nodes * (nodes - 1);
        double* const place = visit + nodes;
        visit[0] = 1;
        std::size_t from = 0;
        for (std::size_t to : routes[0]) {
            x[test::arc(nodes, from, to)] = 1;
            visit[to] = 1;
            place[to] = place[from] + 1;
            from = to;
        }
        x[test::arc(nodes, from, 0)] = 1;
        LinearProgram const program = *relaxation_of(*instance);
        test::expect_feasible(program, x);
        EXPECT_NEAR(objective_value(program, x), instance->check(*solution).cost, 1e-5);
    }
}

TEST(OpLagrangian, CollectsEverythingIfLengthIsFree) {
    RelaxedSolution const tour = (*lagrangian_of(*make(two_customers(20))))->solve(std::vector<double>{0, 0, 0});
    EXPECT_NEAR(tour.cost, -3, 1e-9);
    // 2 first (worth more): there and back 20; then 1: 5 + 5 - 10 = 0 more; and the way home once again.
    EXPECT_NEAR(tour.violation[budget], 20 + 0 + 5 - 20, 1e-5);
}

TEST(OpLagrangian, StaysAtHomeIfLengthIsDear) {
    RelaxedSolution const tour = (*lagrangian_of(*make(two_customers(20))))->solve(std::vector<double>{0, 1, 0});
    EXPECT_EQ(tour.cost, 0);
    EXPECT_NEAR(tour.violation[budget], -20, 1e-5);
}

} // namespace
} // namespace cax::op
