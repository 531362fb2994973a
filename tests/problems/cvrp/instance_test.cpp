#include "support.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"

#include <gmock/gmock.h>

namespace cax::cvrp::test {
namespace {

using testing::HasSubstr;

TEST(CvrpInstance, RefusesWhatMakesNoSenseAndNamesNodeFieldAndValue) {
    auto const refusal = [](auto change) {
        Data data = three_customers();
        change(data);
        auto const instance = Instance::make(std::move(data));
        return instance ? "it was accepted" : instance.error().message;
    };
    EXPECT_THAT(refusal([](Data& d) { d.demand[1] = -0.1F; }), HasSubstr("customer 2: demand is -0.1"));
    EXPECT_THAT(refusal([](Data& d) { d.demand[1] = 7; }), HasSubstr("customer 2: demand is 7 times the capacity"));
    EXPECT_THAT(refusal([](Data& d) { d.locs[0].x = 1e30F; }), HasSubstr("depot: x is 1e+30"));
    EXPECT_THAT(refusal([](Data& d) { d.capacity = 0; }), HasSubstr("capacity is 0"));
    EXPECT_EQ(refusal([](Data& d) { d.demand.pop_back(); }), "demand has 2 entries, expected 3");
    EXPECT_EQ(refusal([](Data& d) { d.locs.clear(); }), "there are no customers");
}

TEST(CvrpInstance, WritesDemandsInTheUnitsOfTheCapacity) {
    EXPECT_EQ(to_json(*make(three_customers())).dump(),
              R"({"name":"three","capacity":10,"depot":{"x":0,"y":0},"customers":[{"x":3,"y":4,"demand":3},)"
              R"({"x":6,"y":8,"demand":4},{"x":0,"y":10,"demand":5}]})");
}

TEST(CvrpInstance, TakesNoWindowsForCustomersWithoutThem) {
    Json json = to_json(*make(three_customers()));
    json["customers"][1]["window"] = {0, 5};
    auto const refused = cvrp_problem().exchange().from_json(json);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "customer 2: window is a field of another problem than cvrp");
}

TEST(CvrpInstance, SplitsAnEpisodeIntoRoutesAtTheDepot) {
    auto const solution = make(three_customers())->solution_of(std::vector<std::size_t>{1, 2, 0, 3, 0, 0});
    ASSERT_TRUE(solution) << solution.error().message;
    EXPECT_EQ(std::get<Routes>(*solution), (Routes{{{1, 2}, {3}}}));
}

TEST(CvrpInstance, KeepsDemandsWithinTheEnvelopeThatAVehicleCanCarry) {
    auto const state = make(three_customers())->reset();
    Features features = state->features();
    EXPECT_FALSE(envelope_violation(*state, features));
    features[1].values[2] = 1.01;
    EXPECT_EQ(envelope_violation(*state, features), "customer 3: demand is 1.01 vehicle loads");
    features[1].values[2] = -0.01;
    EXPECT_EQ(envelope_violation(*state, features), "customer 3: demand is negative (-0.01)");
}

TEST(CvrpInstance, SpeaksOfDemandsInTheUnitsOfTheCapacity) {
    auto const instance = make(three_customers());
    TensorUnits const units = units_of(*instance, 1);
    EXPECT_EQ(units.scale, 10);
    EXPECT_EQ(units.grain, 0.1);
    EXPECT_EQ(cvrp_problem().presentation().change_words(*instance, 1, 2, "5", "4"),
              "customer 3's demand were 4 instead of 5");
}

TEST(CvrpInstance, IsShownInTheUnitSquareThatPoliciesKnow) {
    auto const scaled = cvrp_problem().presentation().into_domain(make(three_customers()));
    ASSERT_TRUE(scaled) << scaled.error().message;
    EXPECT_EQ(scaled->scale, 0.1);
    EXPECT_THAT(scaled->note, HasSubstr("places up to 10 apart"));
    auto const seen = std::get<GraphObservation>(scaled->instance->reset()->observe());
    EXPECT_DOUBLE_EQ(seen.customers(1, 0), 0.6);
    EXPECT_DOUBLE_EQ(seen.customers(1, 1), 0.8);
    EXPECT_EQ(dynamic_cast<Instance const&>(*scaled->instance).data().locs[2], (Point{6, 8}));
}

} // namespace
} // namespace cax::cvrp::test
