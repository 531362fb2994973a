#include "support.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"

#include <gmock/gmock.h>
#include <limits>

namespace cax::op::test {
namespace {

using testing::HasSubstr;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

template <class Change> std::string refusal_after(Change change) {
    Data data = three_customers();
    change(data);
    return refusal(std::move(data));
}

TEST(OpInstance, RefusesWhatMakesNoSenseAndNamesNodeFieldAndValue) {
    EXPECT_EQ(refusal_after([](Data& d) { d.prize[2] = -3; }), "customer 2: prize is negative (-3)");
    EXPECT_THAT(refusal_after([](Data& d) { d.prize[1] = nan; }), HasSubstr("customer 1: prize is nan"));
    EXPECT_EQ(refusal_after([](Data& d) { d.prize[0] = 5; }), "depot: prize is 5: expected 0");
    EXPECT_THAT(refusal_after([](Data& d) { d.locs[3].x = nan; }), HasSubstr("customer 3: x is nan"));
    EXPECT_THAT(refusal_after([](Data& d) { d.locs[0].y = -infinity; }), HasSubstr("depot: y is -inf"));
    EXPECT_THAT(refusal_after([](Data& d) { d.locs[1].y = 1e30F; }), HasSubstr("customer 1: y is 1e+30"));
    EXPECT_THAT(refusal_after([](Data& d) { d.max_length = 0; }), HasSubstr("max_length is 0"));
    EXPECT_THAT(refusal_after([](Data& d) { d.max_length = nan; }), HasSubstr("max_length is nan"));
    EXPECT_THAT(refusal_after([](Data& d) { d.max_length = infinity; }), HasSubstr("max_length is inf"));
    EXPECT_EQ(refusal_after([](Data& d) { d.prize.pop_back(); }), "prize has 3 entries, expected 4");
    EXPECT_EQ(refusal({}), "there are no customers");
    EXPECT_THAT(refusal_after([](Data& d) { d.locs.resize(max_nodes + 1); }), HasSubstr("10001 nodes: at most 10000"));
}

TEST(OpInstance, AcceptsPrizesOfZero) {
    Data data = three_customers();
    data.prize[2] = 0;
    EXPECT_EQ(make(data)->data(), data);
}

TEST(OpInstance, SurvivesJsonBitForBit) {
    Rng rng(11);
    std::vector<Data> cases{three_customers(), generated(20, 1)->data()};
    for (int i = 0; i < 300; ++i) cases.push_back(rough_data(1 + rng.below(12), rng));
    for (Data const& data : cases) {
        Json const json = to_json(*make(data));
        auto const back = op_problem().exchange().from_json(Json::parse(json.dump()));
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(dynamic_cast<Instance const&>(**back).data(), data) << json.dump();
    }
}

TEST(OpInstance, WritesNumbersAPersonCanRead) {
    Data data = three_customers();
    data.prize[1] = 0.37F;
    EXPECT_EQ(to_json(*make(data))["customers"][0].dump(), R"({"x":3,"y":4,"prize":0.37})");
    EXPECT_EQ(to_json(*make(data))["depot"].dump(), R"({"x":0,"y":0})");
}

TEST(OpInstance, NamesTheFieldThatIsMissingOrMistyped) {
    auto const message = [](std::string const& text) {
        auto const instance = op_problem().exchange().from_json(Json::parse(text));
        return instance ? "it was accepted" : instance.error().message;
    };
    EXPECT_EQ(message("3"), "expected an object, found 3");
    EXPECT_EQ(message("{}"), "max_length is missing");
    EXPECT_EQ(message(R"({"max_length": true})"), "max_length is true, not a number");
    EXPECT_EQ(message(R"({"max_length": 1})"), "depot is missing");
    EXPECT_EQ(message(R"({"max_length": 1, "depot": {"x": 0}, "customers": []})"), "depot: y is missing");
    EXPECT_EQ(message(R"({"max_length": 1, "depot": {"x": 0, "y": 0}, "customers": [{"x": 0, "y": 0}]})"),
              "customer 1: prize is missing");
    EXPECT_THAT(
        message(R"({"max_length": 1, "depot": {"x": 0, "y": 0}, "customers": [{"x": 0, "y": 0, "prize": -1}]})"),
        HasSubstr("customer 1: prize is negative (-1)"));
}

TEST(OpInstance, NamesTheInstanceAndTheFieldOfAnArrayThatIsWrong) {
    std::vector<InstancePtr> const written{generated(5, 1), generated(5, 2)};
    auto tensors = op_problem().exchange().to_tensors(written);
    ASSERT_TRUE(tensors);
    (*tensors)["max_length"] = Tensor::from_floats({2}, std::vector<float>{1, -1});
    auto const refused = op_problem().exchange().from_tensors(*tensors);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("instance 1: max_length is -1"));
}

TEST(OpInstance, TurnsAnEpisodeIntoATour) {
    auto const instance = make(three_customers());
    auto const solution = instance->solution_of(std::vector<std::size_t>{1, 2, 0, 0});
    ASSERT_TRUE(solution) << solution.error().message;
    EXPECT_EQ(std::get<Routes>(*solution), (Routes{{{1, 2}}}));
    EXPECT_EQ(solution_to_json(*instance, *solution).dump(), R"({"tour":[1,2]})");
    auto const read = solution_from_json(*instance, solution_to_json(*instance, *solution));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, *solution);
}

TEST(OpInstance, TurnsStayingAtHomeIntoTheEmptyTour) {
    auto const instance = make(three_customers());
    auto const solution = instance->solution_of(std::vector<std::size_t>{0, 0});
    ASSERT_TRUE(solution) << solution.error().message;
    EXPECT_EQ(std::get<Routes>(*solution), (Routes{{{}}}));
    EXPECT_EQ(solution_to_json(*instance, *solution).dump(), R"({"tour":[]})");
    EXPECT_EQ(*solution_from_json(*instance, solution_to_json(*instance, *solution)), *solution);
}

TEST(OpInstance, RefusesSolutionsThatAreNotListsOfNodes) {
    auto const instance = make(three_customers());
    auto const message = [&](std::string const& text) {
        auto const solution = solution_from_json(*instance, Json::parse(text));
        return solution ? "it was accepted" : solution.error().message;
    };
    EXPECT_EQ(message("{}"), "tour is missing");
    EXPECT_EQ(message(R"({"tour": 5})"), "tour is 5, not a list");
    EXPECT_EQ(message(R"({"tour": [1, "two"]})"), "tour: \"two\" is not a number of a node");
}

TEST(OpInstance, StartsAnywhereOnlyIfEveryCustomerIsInReach) {
    EXPECT_EQ(make(three_customers())->start_actions(), (std::vector<std::size_t>{1, 2, 3}));
    Data data = three_customers();
    data.max_length = 22; // customer 3 is 24 away and back
    EXPECT_TRUE(make(data)->start_actions().empty());
}

} // namespace
} // namespace cax::op::test
