#include "../relaxation_checks.hpp"
#include "cax/problems/cvrptw/instance.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/registry.hpp"
#include "cax/solvers/lp.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax::cvrptw {
namespace {

enum Family : std::size_t { capacity, time_window, spatial };

std::shared_ptr<Instance const> make(Data data) {
    auto instance = Instance::make(std::move(data));
    EXPECT_TRUE(instance) << instance.error().message;
    return *instance;
}

/// Depot (0, 0) open until 100; customer 1 at (3, 4), window [8, 20], service 2, demand 0.3; customer 2 at (6, 8),
/// window [0, 30], service 3, demand 0.4.
Data two_customers() {
    Data data;
    data.locs = {{0, 0}, {3, 4}, {6, 8}};
    data.demand = {0.3F, 0.4F};
    data.time_windows = {{0, 100}, {8, 20}, {0, 30}};
    data.durations = {0, 2, 3};
    return data;
}

Data one_customer(Window window) {
    Data data;
    data.locs = {{0, 0}, {3, 4}};
    data.demand = {0.5F};
    data.time_windows = {{0, 100}, window};
    data.durations = {0, 0};
    return data;
}

TEST(CvrptwRelaxation, KnowsItsFamiliesByTheirPlaces) {
    auto const& families = find_problem("cvrptw")->info().families;
    EXPECT_EQ(families[capacity], "capacity");
    EXPECT_EQ(families[time_window], "time_window");
    EXPECT_EQ(families[spatial], "spatial");
}

TEST(CvrptwRelaxation, HasTheRowsOfTheFormulation) {
    Rng rng(1);
    LinearProgram const program = *relaxation_of(*(*find_problem("cvrptw")->generate("50", {}, rng)));
    EXPECT_EQ(program.columns(), 51u * 50 + 51 + 51);
    EXPECT_EQ(program.rows_of(spatial), 101u);
    EXPECT_EQ(program.rows_of(capacity), 2550u);
    EXPECT_EQ(program.rows_of(time_window), 2500u);
}

std::string in_words(LinearProgram const& program, std::size_t row) {
    std::string text;
    for (Term const& term : program.terms(row)) {
        text += (term.coefficient < 0 ? "-" : "+") + std::to_string(std::lround(std::abs(term.coefficient)));
        text += "x" + std::to_string(term.column) + " ";
    }
    return text;
}

/// Columns: x01 x02 x10 x12 x20 x21 = 0..5, arrivals 6..8, loads 9..11.
TEST(CvrptwRelaxation, WritesEachRowInItsPlace) {
    LinearProgram const program = *relaxation_of(*make(two_customers()));
    ASSERT_EQ(program.rows(), 5u + 6 + 4);
    EXPECT_EQ(in_words(program, 0), "+1x2 +1x3 "); // customer 1 is left
    EXPECT_EQ(in_words(program, 1), "+1x0 +1x5 "); // and entered
    EXPECT_EQ(in_words(program, 2), "+1x4 +1x5 ");
    EXPECT_EQ(in_words(program, 3), "+1x1 +1x3 ");
    EXPECT_EQ(in_words(program, 4), "+1x0 +1x1 -1x2 -1x4 ");
    EXPECT_TRUE(program.is_redundant(4));
    EXPECT_EQ(in_words(program, 5), "+1x10 -1x9 -1x0 "); // u1 - u0 - Q x01 >= q1 - Q
    EXPECT_NEAR(program.row_bounds(5).lower, 0.3 - 1, 1e-7);
    EXPECT_EQ(in_words(program, 7), "+1x11 -1x10 -1x3 "); // i = 1, j = 2
    EXPECT_EQ(in_words(program, 10), "+1x11 ");           // u2 >= q2
    EXPECT_NEAR(program.row_bounds(10).lower, 0.4, 1e-7);
    double const big = 100 + 3 * 10; // latest close + nodes * longest distance
    EXPECT_EQ(in_words(program, 13), "+1x8 -1x7 -130x3 ");
    EXPECT_NEAR(program.row_bounds(13).lower, 5 + 2 - big, 1e-6);
    EXPECT_EQ(program.column_bounds(7).lower, 8);
    EXPECT_EQ(program.column_bounds(7).upper, 20);
}

TEST(CvrptwRelaxation, CostsOneRoundTripForOneCustomer) {
    EXPECT_NEAR(test::optimum_of(*relaxation_of(*make(one_customer({0, 50})))), 10, 1e-9);
}

TEST(CvrptwRelaxation, IsInfeasibleIfTheOnlyCustomerClosesBeforeAnybodyArrives) {
    auto const solution = clp_solver().solve(*relaxation_of(*make(one_customer({0, 4}))));
    ASSERT_TRUE(solution);
    EXPECT_EQ(solution->status, LpStatus::infeasible);
}

/// Adding the two load rows between the customers leaves x12 + x21 <= 2 - q1 - q2, and the length is 30 minus 10 for
/// each unit of that.
TEST(CvrptwRelaxation, LetsTwoCustomersShareAVehicleAsFarAsTheirDemandsAllow) {
    EXPECT_NEAR(test::optimum_of(*relaxation_of(*make(two_customers()))), 30 - 10 * 1.3, 1e-6);
    Data data = two_customers();
    data.demand = {0.9F, 0.9F};
    EXPECT_NEAR(test::optimum_of(*relaxation_of(*make(data))), 30 - 10 * 0.2, 1e-6);
}

TEST(CvrptwRelaxation, PricesCapacityAtWhatAUnitOfItSaves) {
    LinearProgram const program = *relaxation_of(*make(two_customers()));
    auto const solution = clp_solver().solve(program);
    ASSERT_TRUE(solution);
    EXPECT_NEAR(solution->dual[7], 10, 1e-6); // u2 >= u1 + q2 - Q (1 - x12)
    EXPECT_NEAR(solution->dual[8], 10, 1e-6); // u1 >= u2 + q1 - Q (1 - x21)
    for (std::size_t i = 11; i < program.rows(); ++i) EXPECT_NEAR(solution->dual[i], 0, 1e-9); // time is no matter
}

/// Routes as a point of the program: arcs, arrivals and loads.
std::vector<double> point_of(Instance const& instance, Routes const& solution) {
    std::size_t const nodes = instance.nodes();
    Data const& data = instance.data();
    std::vector<double> x(nodes * (nodes - 1) + 2 * nodes);
    double* const arrival = x.data() + nodes * (nodes - 1);
    double* const load = arrival + nodes;
    for (auto const& route : solution.routes) {
        std::size_t from = 0;
        for (std::size_t to : route) {
            double const way = std::hypot(data.locs[from].x - data.locs[to].x, data.locs[from].y - data.locs[to].y);
            double const left = from == 0 ? 0 : arrival[from] + data.durations[from];
            arrival[to] = std::max<double>(left + way, data.time_windows[to].open);
            load[to] = (from == 0 ? 0 : load[from]) + data.demand[to - 1];
            x[test::arc(nodes, from, to)] = 1;
            from = to;
        }
        x[test::arc(nodes, from, 0)] = 1;
    }
    return x;
}

TEST(CvrptwRelaxation, ContainsEverySolution) {
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        Rng rng(7, seed);
        auto const instance =
            std::dynamic_pointer_cast<Instance const>(*find_problem("cvrptw")->generate("12", {}, rng));
        ASSERT_TRUE(instance);
        auto const solution = instance->solution_of(test::random_actions(*instance, rng));
        ASSERT_TRUE(solution);
        LinearProgram const program = *relaxation_of(*instance);
        std::vector<double> const x = point_of(*instance, std::get<Routes>(*solution));
        test::expect_feasible(program, x);
        EXPECT_NEAR(objective_value(program, x), instance->check(*solution).cost, 1e-6);
    }
}

TEST(CvrptwRelaxation, RefusesInstancesThatItCannotHold) {
    Data data;
    data.locs.resize(1002);
    data.demand.assign(1001, 0.1F);
    data.time_windows.assign(1002, {0, 10});
    data.durations.assign(1002, 0);
    auto const program = relaxation_of(*make(data));
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().message, "linear relaxation: 1002 nodes are more than the 1000 that can be written out");
}

TEST(CvrptwLagrangian, FollowsTheNearestNeighbourWithoutPenalties) {
    // 0 -> 1 (arrive 8, leave 10) -> 2 (arrive 15) -> 0: all within windows and capacity.
    RelaxedSolution const tour = (*lagrangian_of(*make(two_customers())))->solve(std::vector<double>{0, 0, 0});
    EXPECT_NEAR(tour.cost, 20, 1e-6);
    EXPECT_EQ(tour.violation, (std::vector<double>{0, 0, 0}));
}

TEST(CvrptwLagrangian, CountsOverloadAndLateness) {
    Data data = two_customers();
    data.demand = {0.9F, 0.9F};
    data.time_windows[2] = {0, 11};
    // 0 -> 1 (leave at 10) -> 2 (arrive 15, 4 too late, 0.8 too much), home because full.
    RelaxedSolution const tour = (*lagrangian_of(*make(data)))->solve(std::vector<double>{0, 0, 0});
    EXPECT_NEAR(tour.cost, 20, 1e-6);
    EXPECT_NEAR(tour.violation[capacity], 0.8, 1e-6);
    EXPECT_NEAR(tour.violation[time_window], 4, 1e-6);
}

TEST(CvrptwLagrangian, AvoidsWhatIsPenalised) {
    Data data = two_customers();
    data.time_windows[1] = {0, 4};
    auto const found = lagrangian_of(*make(data));
    auto const& relaxation = *found;
    EXPECT_NEAR(relaxation->solve(std::vector<double>{0, 0, 0}).violation[time_window], 1, 1e-6);
    // Being late at 1 by 1 now costs more than the way to 2; then 1 is reached at 10 + 3 + 5.
    RelaxedSolution const other = relaxation->solve(std::vector<double>{0, 100, 0});
    EXPECT_NEAR(other.violation[time_window], 14, 1e-6);
}

} // namespace
} // namespace cax::cvrptw
