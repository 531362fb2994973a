#include "support.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace cax::cvrptw::test {
namespace {

using testing::HasSubstr;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

template <class Change> std::string refusal_after(Change change) {
    Data data = three_customers();
    change(data);
    return refusal(std::move(data));
}

TEST(CvrptwInstance, RefusesWhatMakesNoSenseAndNamesNodeFieldAndValue) {
    EXPECT_EQ(refusal_after([](Data& d) {
                  d.time_windows[2] = {7, 5};
              }),
              "customer 2: window closes (5) before it opens (7)");
    EXPECT_THAT(refusal_after([](Data& d) { d.locs[3].x = nan; }), HasSubstr("customer 3: x is nan"));
    EXPECT_THAT(refusal_after([](Data& d) { d.locs[0].y = infinity; }), HasSubstr("depot: y is inf"));
    EXPECT_THAT(refusal_after([](Data& d) { d.locs[1].y = 1e30F; }), HasSubstr("customer 1: y is 1e+30"));
    EXPECT_THAT(refusal_after([](Data& d) { d.demand[1] = -0.1F; }), HasSubstr("customer 2: demand is -0.1"));
    EXPECT_THAT(refusal_after([](Data& d) { d.demand[0] = nan; }), HasSubstr("customer 1: demand is nan"));
    EXPECT_THAT(refusal_after([](Data& d) { d.demand[0] = 7; }),
                HasSubstr("customer 1: demand is 7 times the capacity"));
    EXPECT_THAT(refusal_after([](Data& d) { d.durations[3] = -1; }),
                HasSubstr("customer 3: service time is negative (-1)"));
    EXPECT_THAT(refusal_after([](Data& d) { d.durations[3] = nan; }), HasSubstr("customer 3: service time is nan"));
    EXPECT_THAT(refusal_after([](Data& d) { d.time_windows[1].open = -infinity; }),
                HasSubstr("customer 1: window opening is -inf"));
    EXPECT_THAT(refusal_after([](Data& d) { d.time_windows[1].close = nan; }),
                HasSubstr("customer 1: window closing is nan"));
    EXPECT_THAT(refusal_after([](Data& d) { d.time_windows[1].open = 8.5F; }), HasSubstr("customer 1: window has 8.5"));
    EXPECT_THAT(refusal_after([](Data& d) { d.time_windows[0].close = 2e7F; }), HasSubstr("depot: window has 2"));
    EXPECT_THAT(refusal_after([](Data& d) { d.capacity = 0; }), HasSubstr("capacity is 0"));
    EXPECT_THAT(refusal_after([](Data& d) { d.capacity = nan; }), HasSubstr("capacity is nan"));
}

TEST(CvrptwInstance, RefusesListsOfTheWrongLength) {
    EXPECT_EQ(refusal_after([](Data& d) { d.demand.pop_back(); }), "demand has 2 entries, expected 3");
    EXPECT_EQ(refusal_after([](Data& d) { d.time_windows.pop_back(); }), "time_windows has 3 entries, expected 4");
    EXPECT_EQ(refusal_after([](Data& d) { d.durations.push_back(0); }), "durations has 5 entries, expected 4");
    EXPECT_EQ(refusal({}), "there are no customers");
    EXPECT_THAT(refusal_after([](Data& d) { d.locs.resize(max_nodes + 1); }), HasSubstr("10001 nodes: at most 10000"));
}

TEST(CvrptwInstance, AcceptsWindowsOfOneMomentAndCustomersWithoutDemand) {
    Data data = three_customers();
    data.time_windows[1] = {9, 9};
    data.demand[2] = 0;
    EXPECT_EQ(make(data)->data(), data);
}

TEST(CvrptwInstance, SurvivesJsonBitForBit) {
    Rng rng(11);
    std::vector<Data> cases{three_customers(), generated(50, 1)->data(), generated(20, 2, {{"scale", "true"}})->data()};
    for (int i = 0; i < 200; ++i) cases.push_back(rough_data(1 + rng.below(12), rng));
    cases.back().durations[0] = 3;
    for (Data const& data : cases) {
        Json const json = to_json(*make(data));
        auto const back = cvrptw_problem().exchange().from_json(Json::parse(json.dump()));
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(dynamic_cast<Instance const&>(**back).data(), data) << json.dump();
    }
}

TEST(CvrptwInstance, WritesDemandsInTheUnitsOfTheCapacity) {
    Json const json = to_json(*make(three_customers()));
    EXPECT_EQ(json["capacity"].dump(), "10");
    EXPECT_EQ(json["customers"][1].dump(), R"({"x":6,"y":8,"demand":4,"window":[0,30],"service":3})");
    EXPECT_EQ(json["depot"].dump(), R"({"x":0,"y":0,"window":[0,100]})");
}

TEST(CvrptwInstance, ReplacesBytesOfTheNameThatJsonCannotHold) {
    Data data = three_customers();
    data.name = "caf\xe9";
    auto const instance = make(data);
    EXPECT_EQ(instance->name(), "caf\xe9");
    EXPECT_EQ(to_json(*instance)["name"], "caf\xef\xbf\xbd");
}

std::string json_refusal(std::string const& text) {
    auto const instance = cvrptw_problem().exchange().from_json(Json::parse(text));
    return instance ? "it was accepted" : instance.error().message;
}

TEST(CvrptwInstance, NamesTheFieldThatIsMissingOrMistyped) {
    std::string const depot = R"("depot": {"x": 0, "y": 0, "window": [0, 9]})";
    EXPECT_EQ(json_refusal("[]"), "expected an object, found a list");
    EXPECT_EQ(json_refusal("{}"), "capacity is missing");
    EXPECT_EQ(json_refusal(R"({"capacity": "ten"})"), "capacity is \"ten\", not a number");
    EXPECT_THAT(json_refusal(R"({"capacity": 0, "depot": 1, "customers": []})"), HasSubstr("capacity is 0"));
    EXPECT_EQ(json_refusal(R"({"capacity": 1, "depot": 5, "customers": []})"), "depot: expected an object, found 5");
    EXPECT_EQ(json_refusal(R"({"capacity": 1, "depot": {"x": 0, "y": 0}, "customers": []})"),
              "depot: window is missing");
    EXPECT_EQ(json_refusal("{\"capacity\": 1, " + depot + "}"), "customers is missing");
    EXPECT_EQ(json_refusal("{\"capacity\": 1, " + depot + ", \"customers\": {}}"),
              "customers is an object, not a list");
    EXPECT_EQ(json_refusal("{\"capacity\": 1, " + depot + ", \"customers\": []}"), "there are no customers");
    EXPECT_EQ(json_refusal("{\"capacity\": 1, " + depot +
                           R"(, "customers": [{"x": 0, "y": 0, "demand": 0, "window": [1]}]})"),
              "customer 1: window is not a pair of numbers");
    EXPECT_EQ(json_refusal("{\"capacity\": 1, " + depot +
                           R"(, "customers": [{"x": 0, "y": 0, "window": [1, 2], "service": 0}]})"),
              "customer 1: demand is missing");
    EXPECT_THAT(json_refusal("{\"capacity\": 1, " + depot +
                             R"(, "customers": [{"x": 1e300, "y": 0, "window": [1, 2], "service": 0, "demand": 1}]})"),
                HasSubstr("customer 1: x is inf"));
}

NamedTensors two_instances() {
    std::vector<InstancePtr> const instances{generated(5, 1), generated(5, 2)};
    auto tensors = cvrptw_problem().exchange().to_tensors(instances);
    return *std::move(tensors);
}

std::string array_refusal(NamedTensors const& tensors) {
    auto const instances = cvrptw_problem().exchange().from_tensors(tensors);
    return instances ? "it was accepted" : instances.error().message;
}

TEST(CvrptwInstance, NamesTheArrayThatIsMisshapen) {
    NamedTensors tensors = two_instances();
    tensors["capacity"] = Tensor::from_floats({3}, std::vector<float>(3));
    EXPECT_EQ(array_refusal(tensors), "capacity has shape [3], expected [2, 1]");
    tensors = two_instances();
    tensors["locs"] = Tensor::from_floats({1'000'000'000'000, 0, 2}, {});
    EXPECT_THAT(array_refusal(tensors), HasSubstr("locs has 0 customers"));
    tensors["locs"] = Tensor::from_floats({0, 5, 2}, {});
    EXPECT_EQ(array_refusal(tensors), "locs holds no instance");
}

TEST(CvrptwInstance, TakesCapacityAsAVectorOrLeavesItAtOne) {
    NamedTensors tensors = two_instances();
    tensors["capacity"] = Tensor::from_floats({2}, std::vector<float>{40, 50});
    auto instances = cvrptw_problem().exchange().from_tensors(tensors);
    ASSERT_TRUE(instances);
    EXPECT_EQ(dynamic_cast<Instance const&>(*(*instances)[1]).data().capacity, 50);
    tensors.erase("capacity");
    instances = cvrptw_problem().exchange().from_tensors(tensors);
    ASSERT_TRUE(instances);
    EXPECT_EQ(dynamic_cast<Instance const&>(*(*instances)[1]).data().capacity, 1);
}

TEST(CvrptwInstance, AsksForDemandsDividedByTheCapacity) {
    NamedTensors tensors = two_instances();
    tensors["demand"] = Tensor::from_floats({2, 5}, std::vector<float>{0, 0, 0, 0, 0, 0, 0, 7, 0, 0});
    EXPECT_THAT(array_refusal(tensors), HasSubstr("instance 1: customer 3: demand is 7 times the capacity"));
    EXPECT_THAT(array_refusal(tensors), HasSubstr("must be divided by the capacity 20"));
}

TEST(CvrptwInstance, KeepsFloatWindowsAsFloats) {
    std::vector<InstancePtr> const instances{generated(5, 1, {{"scale", "true"}})};
    auto const tensors = cvrptw_problem().exchange().to_tensors(instances);
    ASSERT_TRUE(tensors);
    EXPECT_EQ(tensors->at("time_windows").dtype(), Dtype::f32);
    auto const read = cvrptw_problem().exchange().from_tensors(*tensors);
    ASSERT_TRUE(read);
    EXPECT_FALSE(dynamic_cast<Instance const&>(*(*read)[0]).data().whole_windows);
}

TEST(CvrptwInstance, SplitsAnEpisodeIntoRoutesAtTheDepot) {
    auto const instance = make(three_customers());
    auto const solution = instance->solution_of(std::vector<std::size_t>{1, 2, 0, 3, 0, 0});
    ASSERT_TRUE(solution) << solution.error().message;
    EXPECT_EQ(std::get<Routes>(*solution), (Routes{{{1, 2}, {3}}}));
    EXPECT_EQ(solution_to_json(*instance, *solution).dump(), R"({"routes":[[1,2],[3]]})");
    auto const read = solution_from_json(*instance, solution_to_json(*instance, *solution));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, *solution);
}

TEST(CvrptwInstance, RefusesEpisodesThatDoNotEndOrLeaveTheMap) {
    auto const instance = make(three_customers());
    auto const message = [&](std::vector<std::size_t> const& actions) {
        auto const solution = instance->solution_of(actions);
        return solution ? "it was accepted" : solution.error().message;
    };
    EXPECT_EQ(message({1, 2, 0}), "the episode is not finished after 3 steps");
    EXPECT_EQ(message({}), "the episode is not finished after 0 steps");
    EXPECT_EQ(message({1, 4}), "step 2: there is no node 4");
    EXPECT_EQ(message({1, 2, 0, 3, 1}), "step 5: visits customer 1 after the end");
}

TEST(CvrptwInstance, RefusesSolutionsThatAreNotListsOfNodes) {
    auto const instance = make(three_customers());
    auto const message = [&](std::string const& text) {
        auto const solution = solution_from_json(*instance, Json::parse(text));
        return solution ? "it was accepted" : solution.error().message;
    };
    EXPECT_EQ(message("{}"), "routes is missing");
    EXPECT_EQ(message(R"({"routes": 5})"), "routes is 5, not a list");
    EXPECT_EQ(message(R"({"routes": [[1], 2]})"), "routes[1] is 2, not a list");
    EXPECT_EQ(message(R"({"routes": [[1, -2]]})"), "routes[0]: -2 is not a number of a node");
    EXPECT_EQ(message(R"({"routes": [[1.5]]})"), "routes[0]: 1.5 is not a number of a node");
}

} // namespace
} // namespace cax::cvrptw::test
