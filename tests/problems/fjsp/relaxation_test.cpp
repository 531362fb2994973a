#include "../relaxation_checks.hpp"
#include "cax/problems/fjsp/instance.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/registry.hpp"
#include "cax/solvers/lp.hpp"

#include <gtest/gtest.h>

namespace cax::fjsp {
namespace {

enum Family : std::size_t { precedence, eligibility };

std::shared_ptr<Instance const> make(Data data) {
    auto instance = Instance::make(std::move(data));
    EXPECT_TRUE(instance) << instance.error().message;
    return *instance;
}

/// Two machines. Job 0: operation 0 on 0 (3) or 1 (5), operation 1 on 0 (2). Job 1: operation 2 on 1 (4).
Data two_jobs() {
    Data data;
    data.machines = 2;
    data.padded_operations = 5;
    data.jobs = {{{{0, 3}, {1, 5}}, {{0, 2}}}, {{{1, 4}}}};
    return data;
}

TEST(FjspRelaxation, KnowsItsFamiliesByTheirPlaces) {
    auto const& families = find_problem("fjsp")->info().families;
    EXPECT_EQ(families[precedence], "precedence");
    EXPECT_EQ(families[eligibility], "eligibility");
}

/// Columns: x00 x01 x10 x21 = 0..3, completions 4..6, makespan 7.
TEST(FjspRelaxation, WritesEachRowInItsPlaceAndLeavesPaddingOut) {
    LinearProgram const program = *relaxation_of(*make(two_jobs()));
    EXPECT_EQ(program.columns(), 8u);
    EXPECT_EQ(program.rows_of(eligibility), 3u);
    EXPECT_EQ(program.rows_of(precedence), 5u);
    EXPECT_EQ(program.terms(0).size(), 2u); // either machine
    EXPECT_TRUE(program.is_equality(0));
    EXPECT_EQ(program.terms(3)[0].column, 4u); // c0 - 3 x00 - 5 x01 >= 0
    EXPECT_EQ(program.terms(3)[2].coefficient, -5);
    EXPECT_EQ(program.terms(4)[1].column, 4u); // c1 - c0 - 2 x10 >= 0
    EXPECT_EQ(program.terms(4)[1].coefficient, -1);
    EXPECT_EQ(program.terms(5)[0].column, 7u); // makespan - c1 >= 0
    EXPECT_EQ(program.terms(5)[1].column, 5u);
    EXPECT_TRUE(program.upper_is_redundant(0));
}

TEST(FjspRelaxation, IsTheLongestJobOnFastestMachines) {
    EXPECT_NEAR(test::optimum_of(*relaxation_of(*make(two_jobs()))), 5, 1e-9);
}

TEST(FjspRelaxation, WorksForOneOperationOnOneMachine) {
    Data data;
    data.machines = 1;
    data.jobs = {{{{0, 7}}}};
    EXPECT_NEAR(test::optimum_of(*relaxation_of(*make(data))), 7, 1e-9);
}

TEST(FjspRelaxation, PricesEachOperationOfTheLongestJobAtItsDuration) {
    LinearProgram const program = *relaxation_of(*make(two_jobs()));
    auto const solution = clp_solver().solve(program);
    ASSERT_TRUE(solution);
    EXPECT_NEAR(solution->dual[3], 1, 1e-9); // precedence along job 0
    EXPECT_NEAR(solution->dual[4], 1, 1e-9);
    EXPECT_NEAR(solution->dual[6], 0, 1e-9); // none along job 1
    EXPECT_NEAR(solution->objective, 5, 1e-9);
}

TEST(FjspRelaxation, ContainsEverySolution) {
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        Rng rng(7, seed);
        auto const instance =
            std::dynamic_pointer_cast<Instance const>(*find_problem("fjsp")->generate("5x3", {}, rng));
        ASSERT_TRUE(instance);
        auto const solution = instance->solution_of(test::random_actions(*instance, rng));
        ASSERT_TRUE(solution);
        LinearProgram const program = *relaxation_of(*instance);
        std::vector<double> machines;
        std::vector<double> completions(instance->operation_count());
        std::vector<Schedule::Entry> by_operation(instance->operation_count());
        for (auto const& entry : std::get<Schedule>(*solution).entries) by_operation[entry.operation] = entry;
        for (std::size_t o = 0; o < by_operation.size(); ++o) {
            for (Alternative const& alternative : instance->alternatives(o)) {
                bool const chosen = alternative.machine == by_operation[o].machine;
                machines.push_back(chosen ? 1 : 0);
                if (chosen) completions[o] = by_operation[o].start + alternative.time;
            }
        }
        std::vector<double> x = machines;
        x.insert(x.end(), completions.begin(), completions.end());
        x.push_back(instance->check(*solution).cost);
        test::expect_feasible(program, x);
        EXPECT_NEAR(objective_value(program, x), instance->check(*solution).cost, 1e-9);
    }
}

TEST(FjspLagrangian, FillsFastestMachinesWithoutRegardToJobs) {
    Data data;
    data.machines = 2;
    data.jobs = {{{{0, 3}, {1, 5}}, {{1, 2}}, {{0, 4}}}, {{{0, 6}}}};
    // By position, then machine: 0 and 3 on machine 0 at 0 and 3; 1 on machine 1 at 0; 2 on machine 0 at 9.
    RelaxedSolution const schedule = (*lagrangian_of(*make(data)))->solve(std::vector<double>{0, 0});
    EXPECT_NEAR(schedule.cost, 13, 1e-9);
    EXPECT_NEAR(schedule.violation[precedence], 3, 1e-9); // operation 1 starts at 0, operation 0 ends at 3
    EXPECT_EQ(schedule.violation[eligibility], 0);
}

} // namespace
} // namespace cax::fjsp
