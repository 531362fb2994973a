#include "support.hpp"

#include "cax/problems/questions.hpp"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

namespace cax::cvrptw::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> violations(Data const& data, std::vector<std::vector<std::size_t>> const& routes) {
    return make(data)->check(Solution{Routes{routes}}).violations;
}

TEST(CvrptwCheck, AcceptsASolutionAndAddsUpItsLength) {
    auto const report = make(three_customers())->check(Solution{Routes{{{1, 2}, {3}}}});
    EXPECT_THAT(report.violations, IsEmpty());
    EXPECT_DOUBLE_EQ(report.cost, 40);
    EXPECT_THAT(violations(three_customers(), {{3}, {}, {1, 2}, {}}), IsEmpty());
}

TEST(CvrptwCheck, NamesCustomersThatAreMissingRepeatedOrUnknown) {
    EXPECT_THAT(violations(three_customers(), {{1, 2}}), ElementsAre("customer 3 is not visited"));
    EXPECT_THAT(violations(three_customers(), {{1, 2}, {3}, {2}}), ElementsAre("customer 2 is visited 2 times"));
    EXPECT_THAT(violations(three_customers(), {{1, 2}, {3, 4}}),
                ElementsAre("route 2: there is no customer 4 (customers are 1 to 3)"));
    EXPECT_THAT(violations(three_customers(), {{1, 0, 2}, {3}}),
                ElementsAre("route 1: there is no customer 0 (customers are 1 to 3)"));
}

TEST(CvrptwCheck, NamesTheWindowThatIsMissed) {
    Data data = three_customers();
    data.time_windows[2].close = 14;
    EXPECT_THAT(violations(data, {{3}, {1, 2}}),
                ElementsAre("route 2: reaches customer 2 at 15, after its window closed at 14"));
    EXPECT_THAT(violations(data, {{3}, {2, 1}}), IsEmpty());
}

/// Customer 1 is 100 away; the depot is open for ever.
Data far_customer(float closes) {
    return {.capacity = 10,
            .locs = {{0, 0}, {100, 0}, {0, 30}, {30, 0}},
            .demand = {0.1F, 0.1F, 0.1F},
            .time_windows = {{0, 1e7F}, {0, closes}, {0, 200}, {0, 200}},
            .durations = {0, 0, 0, 0}};
}

TEST(CvrptwCheck, ForgivesNoMoreForADepotThatIsOpenForEver) {
    EXPECT_THAT(violations(far_customer(100), {{1}, {2}, {3}}), IsEmpty());
    EXPECT_THAT(violations(far_customer(99.9999F), {{1}, {2}, {3}}), IsEmpty()); // a millionth of the way
    for (float const closes : {99.999F, 99.9F, 99.0F}) {
        EXPECT_EQ(violations(far_customer(closes), {{1}, {2}, {3}}).size(), 1) << closes;
        for (Rounding const rounding : {Rounding::strict, Rounding::loose}) {
            auto const decision = decision_model_of(*make(far_customer(closes)), {}, rounding);
            ASSERT_TRUE(decision);
            EXPECT_EQ(decision->model.constraints.size(), 1) << closes << ": nobody can serve customer 1";
        }
    }
}

TEST(CvrptwCheck, AcceptsLoadsThatTheEnvironmentAllows) {
    Data data = far_customer(200);
    data.capacity = 1;
    data.demand = {0.1F, 0.500003F, 0.500003F};
    auto const instance = make(data);
    auto const state = instance->reset();
    state->step(2);
    EXPECT_EQ(state->action_mask()[3], 1);
    EXPECT_THAT(violations(data, {{2, 3}, {1}}), IsEmpty());
    for (Rounding const rounding : {Rounding::strict, Rounding::loose}) {
        auto const decision = decision_model_of(*instance, {.prefix = {2, 3}, .bound = {}}, rounding);
        ASSERT_TRUE(decision);
        EXPECT_TRUE(decision->model.constraints.empty());
    }
    data.demand = {0.1F, 0.50002F, 0.50002F};
    EXPECT_EQ(violations(data, {{2, 3}, {1}}).size(), 1);
}

TEST(CvrptwCheck, NamesTheVehicleThatIsOverloaded) {
    EXPECT_THAT(violations(three_customers(), {{1, 2, 3}}),
                ElementsAre("route 1: load 12 at customer 3 exceeds the capacity 10"));
}

TEST(CvrptwCheck, NamesTheRouteThatComesHomeLate) {
    Data data = three_customers();
    data.time_windows[0].close = 53;
    EXPECT_THAT(violations(data, {{1, 2}, {3}}),
                ElementsAre("route 2: returns to the depot at 54, after it closed at 53"));
}

TEST(CvrptwCheck, ListsEverythingThatIsWrong) {
    Data data = three_customers();
    data.time_windows[0].close = 50;
    EXPECT_EQ(violations(data, {{1, 2, 3, 9}, {1}}).size(), 4); // unknown, twice, overloaded, home late
}

TEST(CvrptwCheck, LetsAFullVehiclePassThatRoundingMadeALittleFuller) {
    Data data = three_customers();
    data.demand = {0.1F, 0.4F, 0.5F}; // adds up to 1.00000001 in double
    data.time_windows[3] = {0, 60};
    EXPECT_GT(double{0.1F} + double{0.4F} + double{0.5F}, 1.0);
    EXPECT_THAT(violations(data, {{1, 2, 3}}), IsEmpty());
    data.demand[0] = 0.10003F;
    EXPECT_EQ(violations(data, {{1, 2, 3}}).size(), 1);
}

TEST(CvrptwCheck, LetsOnlyTheRoundingOfAFloatClockPass) {
    Data data = three_customers();
    data.whole_windows = false;
    data.time_windows[3] = {0, 9.999995F}; // reached at 10; the tolerance is 1e-5, a millionth of that
    EXPECT_THAT(violations(data, {{1, 2}, {3}}), IsEmpty());
    data.time_windows[3].close = 9.99998F;
    EXPECT_EQ(violations(data, {{1, 2}, {3}}).size(), 1);
}

TEST(CvrptwCheck, RoundsDistancesAsTheLiteratureDoes) {
    Data data = three_customers();
    data.locs = {{0, 0}, {1, 1}, {2, 2}, {3, 3}}; // steps of 1.41421356
    data.demand = {0, 0, 0};
    data.time_windows.assign(4, {0, 100});
    auto const instance = make(data);
    Solution const tour{Routes{{{1, 2, 3}}}};
    EXPECT_NEAR(instance->check(tour).cost, 6 * std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(instance->check(tour, DistanceRule::truncated_to_tenth).cost, 3 * 1.4 + 4.2, 1e-12);
    EXPECT_NEAR(instance->check(tour, DistanceRule::nearest_integer).cost, 3 * 1 + 4, 1e-12);
}

TEST(CvrptwCheck, RefusesASchedule) {
    EXPECT_THAT(make(three_customers())->check(Solution{Schedule{}}).violations,
                ElementsAre("the solution is a schedule, not a list of routes"));
}

/// Whatever is done to a valid solution, the checker notices.
TEST(CvrptwCheck, RejectsDamagedSolutions) {
    std::size_t swapped_and_late = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        auto const instance = generated(15, seed);
        Rng rng(seed, 1);
        auto const state = instance->reset();
        std::vector<std::size_t> actions;
        while (!state->done()) {
            auto const mask = state->action_mask();
            std::size_t action = rng.below(mask.size());
            while (mask[action] == 0) action = (action + 1) % mask.size();
            state->step(action);
            actions.push_back(action);
        }
        Routes const routes = std::get<Routes>(*instance->solution_of(actions));
        ASSERT_TRUE(instance->check(routes).valid());
        std::size_t const r = rng.below(routes.routes.size());
        Routes damaged = routes;
        damaged.routes[r].pop_back();
        EXPECT_FALSE(instance->check(damaged).valid());
        damaged = routes;
        damaged.routes[r].push_back(damaged.routes[0][0]);
        EXPECT_FALSE(instance->check(damaged).valid());
        damaged = routes;
        damaged.routes[r][0] = 16;
        EXPECT_FALSE(instance->check(damaged).valid());
        damaged.routes = {{}};
        for (std::size_t i = 1; i <= 15; ++i) damaged.routes[0].push_back(i); // more than one vehicle can carry
        EXPECT_FALSE(instance->check(damaged).valid());
        damaged = routes;
        std::reverse(damaged.routes[r].begin(), damaged.routes[r].end());
        swapped_and_late += instance->check(damaged).valid() ? 0 : 1;
    }
    EXPECT_GT(swapped_and_late, 20);
}

} // namespace
} // namespace cax::cvrptw::test
