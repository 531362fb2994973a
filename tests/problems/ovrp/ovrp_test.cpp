// What only open routes have: no way home, in costs, bounds, questions and drawings.
#include "cax/problems/ovrp/instance.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/decision_model.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/questions.hpp"

#include <cmath>
#include <gmock/gmock.h>

namespace cax {
namespace {

/// Two customers east of the depot, 3 and 4 away, one 2 to the north; a vehicle carries two of them.
cvrp::Data three_customers() {
    return {.capacity = 2, .locs = {{0, 0}, {3, 0}, {4, 0}, {0, 2}}, .demand = {0.5F, 0.5F, 0.5F}};
}

InstancePtr made() {
    auto const instance = ovrp::Instance::make(three_customers());
    EXPECT_TRUE(instance);
    return *instance;
}

TEST(Ovrp, CountsNoWayHome) {
    auto const instance = made();
    EXPECT_EQ(instance->problem().info().name, "ovrp");
    CheckReport const report = instance->check(Routes{{{1, 2}, {3}}});
    EXPECT_TRUE(report.valid());
    EXPECT_DOUBLE_EQ(report.cost, 4 + 2);
    EXPECT_DOUBLE_EQ((*cvrp::Instance::make(three_customers()))->check(Routes{{{1, 2}, {3}}}).cost, 8 + 4);
    auto const state = instance->reset();
    for (std::size_t const action : {1, 2, 0, 3}) state->step(action);
    ASSERT_TRUE(state->done());
    EXPECT_DOUBLE_EQ(state->cost(), 6);
}

TEST(Ovrp, AcceptsWhatCvrpAccepts) {
    auto const instance = made();
    EXPECT_THAT(instance->check(Routes{{{1, 2, 3}}}).violations, testing::ElementsAre(testing::HasSubstr("capacity")));
    EXPECT_FALSE(instance->check(Routes{{{1, 2}}}).valid());
    EXPECT_FALSE(instance->check(Routes{{{1, 2}, {3, 7}}}).valid());
}

TEST(Ovrp, FindsTheShortestOpenRoutes) {
    auto const found = search(*made(), {.seconds = 60, .iterations = 100, .bound = {}, .stop = {}});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_TRUE(found->optimal);
    EXPECT_DOUBLE_EQ(found->cost, 6);
}

TEST(Ovrp, OpensAnotherRouteWhereThatIsShorterOneWay) {
    // The second customer costs 1 by a vehicle of its own, 2 if that came home, and 1.099 on the way to the first.
    auto const instance =
        ovrp::Instance::make(cvrp::Data{.capacity = 2, .locs = {{0, 0}, {5, 0}, {0, 1}}, .demand = {0.5F, 0.5F}});
    ASSERT_TRUE(instance);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        auto const first =
            search(**instance, {.seconds = 60, .iterations = 0, .seed = seed, .bound = {}, .exact = false, .stop = {}});
        ASSERT_TRUE(first) << first.error().message;
        EXPECT_DOUBLE_EQ(first->cost, 6);
    }
}

TEST(Ovrp, RelaxesOpenRoutes) {
    auto const relaxed = lagrangian_of(*made());
    ASSERT_TRUE(relaxed) << relaxed.error().message;
    // To the nearest, and so on: 2 north, from there to the first in the east, 1 on.
    EXPECT_DOUBLE_EQ((*relaxed)->solve(std::vector<double>(2)).cost, 2 + std::sqrt(13.0) + 1);
}

TEST(Ovrp, BoundsOpenLengthsAlone) {
    auto const instance = made();
    auto const decided = [&](double length) {
        auto const model =
            decision_model_of(*instance, {.prefix = {}, .bound = {}, .cost_bound = length}, Rounding::loose);
        EXPECT_TRUE(model);
        if (!model->exact) return violated(model->model, {}).empty();
        return model->exact(1'000'000, {}).outcome == ExactAnswer::Outcome::found;
    };
    EXPECT_TRUE(decided(6.001)); // closed routes are 12 long
    EXPECT_FALSE(decided(5.999));
    EXPECT_FALSE(decided(1));
}

TEST(Ovrp, DrawsRoutesThatStayOpen) {
    auto const instance = made();
    Presentation const& shown = instance->problem().presentation();
    EXPECT_EQ(shown.drawing(*instance, Routes{{{1, 2}, {3}}})["paths"], Json::parse("[[0,1,2],[0,3]]"));
    auto const state = instance->reset();
    std::vector<std::size_t> const actions{1, 2, 0};
    for (std::size_t const action : {1, 2}) state->step(action);
    EXPECT_FALSE(shown.mark(*state, 0).contains("from"));
    EXPECT_EQ(shown.mark(*state, 3)["from"], 2);
    EXPECT_EQ(shown.describe_action(*state, 0), "end the route");
    state->step(0);
    EXPECT_EQ(shown.moment(*state, actions)["paths"], Json::parse("[[0,1,2]]"));
}

TEST(Ovrp, ReadsCvrpsInstances) {
    Json const file = to_json(**cvrp::Instance::make(three_customers()));
    auto const read = ovrp::problem().exchange().from_json(file);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(&(*read)->problem(), &ovrp::problem());
    EXPECT_EQ(to_json(**read), file);
}

TEST(FleetData, KeepsEverythingButNodesInAPart) {
    routing::FleetData data{.capacity = 7,
                            .locs = {{0, 0}, {3, 0}, {0, 4}},
                            .demand = {0.1F, 0.2F},
                            .time_windows = {{0, 9}, {1, 5}, {2, 6}},
                            .durations = {0, 1, 2},
                            .rule = routing::open_routes};
    std::vector<std::size_t> const nodes{0, 2};
    routing::FleetData const part = data.part(nodes);
    EXPECT_EQ(part.capacity, 7);
    EXPECT_THAT(part.demand, testing::ElementsAre(0.2F));
    EXPECT_EQ(part.time_windows[1], (routing::Window{2, 6}));
    EXPECT_THAT(part.durations, testing::ElementsAre(0, 2));
    EXPECT_EQ(part.leg(0, 1), 4);
    EXPECT_EQ(part.leg(1, 0), 0);
    EXPECT_EQ(data.legs()(1, 2), 5);
    data.rule = routing::closed_routes;
    EXPECT_EQ(data.leg(2, 0), 4);
}

} // namespace
} // namespace cax
