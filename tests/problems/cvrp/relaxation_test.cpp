#include "../relaxation_checks.hpp"
#include "cax/problems/cvrp/instance.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/registry.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace cax::cvrp {
namespace {

enum Family : std::size_t { capacity, spatial };

std::shared_ptr<Instance const> make(Data data) {
    auto instance = Instance::make(std::move(data));
    EXPECT_TRUE(instance) << instance.error().message;
    return *instance;
}

TEST(CvrpRelaxation, HasTheRowsOfTheFormulation) {
    Rng rng(1);
    LinearProgram const program = *relaxation_of(*(*find_problem("cvrp")->generate("20", {}, rng)));
    EXPECT_EQ(program.columns(), 21u * 20 + 21);
    EXPECT_EQ(program.rows_of(spatial), 41u);
    EXPECT_EQ(program.rows_of(capacity), 20u * 20 + 20 + 1);
}

/// Two customers at 5 and 10 in the same direction: one vehicle drives 20, two drive 30.
TEST(CvrpRelaxation, AsksForAsManyVehiclesAsTheDemandFills) {
    Data data{.capacity = 1, .locs = {{0, 0}, {3, 4}, {6, 8}}, .demand = {0.3F, 0.4F}};
    LinearProgram const light = *relaxation_of(*make(data));
    auto const vehicles = light.terms(light.rows() - 1);
    EXPECT_EQ(std::accumulate(vehicles.begin(), vehicles.end(), 0.0,
                              [](double sum, Term const& term) { return sum + term.coefficient; }),
              2);
    EXPECT_NEAR(light.row_bounds(light.rows() - 1).lower, 0.7, 1e-6);
    EXPECT_NEAR(test::optimum_of(light), 30 - 10 * 1.3, 1e-6);
    data.demand = {1, 1};
    EXPECT_NEAR(test::optimum_of(*relaxation_of(*make(data))), 30, 1e-6);
}

/// Routes as a point of the program: arcs and loads.
std::vector<double> point_of(Instance const& instance, Routes const& solution) {
    std::size_t const nodes = instance.nodes();
    std::vector<double> x(nodes * (nodes - 1) + nodes);
    for (auto const& route : solution.routes) {
        std::size_t here = 0;
        double load = 0;
        for (std::size_t const customer : route) {
            x[test::arc(nodes, here, customer)] = 1;
            load += double{instance.data().demand[customer - 1]};
            x[nodes * (nodes - 1) + customer] = std::min(load, 1.0);
            here = customer;
        }
        x[test::arc(nodes, here, 0)] = 1;
    }
    return x;
}

TEST(CvrpRelaxation, ContainsEverySolution) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        Rng rng(seed);
        auto const any = *find_problem("cvrp")->generate("8", {}, rng);
        auto const& instance = dynamic_cast<Instance const&>(*any);
        auto const solution = instance.solution_of(test::random_actions(instance, rng));
        ASSERT_TRUE(solution);
        LinearProgram const program = *relaxation_of(instance);
        test::expect_feasible(program, point_of(instance, std::get<Routes>(*solution)));
        EXPECT_LE(test::optimum_of(program), instance.check(*solution).cost + 1e-9);
    }
}

} // namespace
} // namespace cax::cvrp
