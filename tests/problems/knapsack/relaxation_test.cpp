#include "support.hpp"

#include "cax/problems/pricing.hpp"
#include "cax/solvers/lp.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace cax::knapsack::test {
namespace {

LpSolution solved(Instance const& instance) {
    auto const solution = clp_solver().solve(instance.relaxation());
    EXPECT_TRUE(solution);
    return *solution;
}

TEST(KnapsackRelaxation, HasARowPerResourceAndOnePerItem) {
    LinearProgram const program = make(four_items())->relaxation();
    EXPECT_EQ(program.rows_of(0), 4U); // value: there is one of each
    EXPECT_EQ(program.rows_of(1), 1U);
    EXPECT_EQ(program.rows_of(2), 1U);
    EXPECT_EQ(program.family(0), 1U);
    EXPECT_EQ(program.family(1), 2U);
    EXPECT_EQ(program.terms(0)[3].coefficient, double{0.1F});
}

/// Where the volume never binds, Dantzig's closed form: items by value per weight, a part of the critical one, whose
/// ratio is the price of weight.
TEST(KnapsackRelaxation, IsDantzigsBoundWhereOnlyOneResourceBinds) {
    std::size_t compared = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Data data = generated("15", seed)->data();
        std::ranges::fill(data.volumes, 0.001F);
        auto const instance = make(data);
        std::vector<std::size_t> order(15);
        std::iota(order.begin(), order.end(), 0U);
        auto const ratio = [&](std::size_t i) { return double{data.values[i]} / double{data.weights[i]}; };
        std::ranges::sort(order, std::greater<>(), ratio);
        double value = 0, room = 1;
        std::size_t critical = 0;
        while (double{data.weights[order[critical]]} <= room) {
            room -= double{data.weights[order[critical]]};
            value += double{data.values[order[critical]]};
            ++critical;
        }
        if (room < 1e-6) continue; // exactly full: any price between two items' ratios will do
        ++compared;
        value += room * ratio(order[critical]);
        LpSolution const solution = solved(*instance);
        EXPECT_NEAR(solution.objective, value, 1e-9);
        EXPECT_NEAR(std::abs(solution.dual[0]), ratio(order[critical]), 1e-7);
        EXPECT_NEAR(solution.dual[1], 0, 1e-9);
        for (std::size_t k = 0; k < 15; ++k) { // what an item is worth beyond the price of its weight
            double const profit =
                double{data.values[order[k]]} - ratio(order[critical]) * double{data.weights[order[k]]};
            EXPECT_NEAR(std::abs(solution.dual[2 + order[k]]), std::max(0.0, profit), 1e-7);
        }
    }
    EXPECT_GT(compared, 40U);
}

TEST(KnapsackRelaxation, BoundsEverySubsetFromAboveAndTheLagrangianDoesToo) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        auto const instance = generated("10", seed);
        double const best = *best_subset(instance->data());
        LpSolution const solution = solved(*instance);
        EXPECT_GE(solution.objective, best - 1e-4); // subsets are granted the checker's tolerance
        // At the prices of the program the Lagrangian is the program's value (both are exact here).
        std::vector<double> const lambda{0, std::abs(solution.dual[0]), std::abs(solution.dual[1])};
        auto const relaxed = instance->lagrangian()->solve(lambda);
        double const lagrangian = relaxed.cost + lambda[1] * relaxed.violation[1] + lambda[2] * relaxed.violation[2];
        EXPECT_NEAR(-lagrangian, solution.objective, 1e-6);
    }
}

} // namespace
} // namespace cax::knapsack::test
