#include "support.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/problems/registry.hpp"

#include <cmath>
#include <gmock/gmock.h>

namespace cax::knapsack::test {
namespace {

using testing::HasSubstr;

std::string refusal(Data data) {
    auto const instance = Instance::make(std::move(data));
    return instance ? "it was accepted" : instance.error().message;
}

TEST(KnapsackInstance, NamesItemFieldAndValueOfWhatIsWrong) {
    auto const with = [](auto change) {
        Data data = four_items();
        change(data);
        return refusal(std::move(data));
    };
    EXPECT_EQ(with([](Data& d) { d.values[2] = -1; }), "item 2: value is negative (-1)");
    EXPECT_THAT(with([](Data& d) { d.weights[1] = 1.5F; }), HasSubstr("item 1: weight is 1.5 times the capacity"));
    EXPECT_THAT(with([](Data& d) { d.volumes[3] = std::nanf(""); }), HasSubstr("item 3: volume is nan"));
    EXPECT_THAT(with([](Data& d) { d.values[0] = INFINITY; }), HasSubstr("item 0: value is inf"));
    EXPECT_THAT(with([](Data& d) { d.max_volume = 0; }), HasSubstr("max_volume is 0: expected a positive number"));
    EXPECT_THAT(with([](Data& d) { d.weights.pop_back(); }), HasSubstr("weights has 3 entries, expected 4"));
    EXPECT_THAT(refusal({.values = {1}, .weights = {1}, .volumes = {1}}), HasSubstr("at least 2"));
}

TEST(KnapsackInstance, IsWrittenInTheUnitsOfItsResources) {
    Json const json = to_json(*make(four_items()));
    EXPECT_EQ(json.dump(), R"({"name":"four","max_weight":10,"max_volume":8,"items":[)"
                           R"({"value":6,"weight":6,"volume":2},{"value":5,"weight":5,"volume":4},)"
                           R"({"value":4,"weight":5,"volume":4},{"value":1,"weight":1,"volume":6}]})");
    auto const read = find_problem("knapsack")->exchange().from_json(json);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(static_cast<Instance const&>(**read).data(), four_items());
}

TEST(KnapsackInstance, RefusesJsonWithoutRoomOrWithPlaces) {
    Exchange const& exchange = find_problem("knapsack")->exchange();
    auto const refused = [&](char const* text) {
        auto const read = exchange.from_json(Json::parse(text));
        return read ? std::string("it was accepted") : read.error().message;
    };
    EXPECT_THAT(refused(R"({"max_weight": 0, "max_volume": 1, "items": []})"), HasSubstr("max_weight is 0"));
    EXPECT_THAT(refused(R"({"max_weight": 5, "max_volume": 1, "items": [{"value": 1, "weight": -1, "volume": 1}]})"),
                HasSubstr("item 0: weight is -1: negative"));
    EXPECT_THAT(refused(R"({"max_weight": 5, "max_volume": 1, "items": [{"value": 1, "weight": "x", "volume": 1}]})"),
                HasSubstr("item 0: weight is \"x\", not a number"));
    EXPECT_THAT(refused(R"({"max_weight": 5, "max_volume": 1})"), HasSubstr("items is missing"));
}

TEST(KnapsackInstance, SaysChangesInItsOwnUnits) {
    auto const instance = make(four_items());
    TensorUnits const units = units_of(*instance, 1);
    EXPECT_EQ(units.scale, 10);
    EXPECT_EQ(units.grain, 0.1);
    EXPECT_EQ(units.unit, "weight");
    EXPECT_EQ(instance->problem().presentation().change_words(*instance, 1, 2, "5", "4"),
              "item 2's weight were 4 instead of 5");
    EXPECT_EQ(instance->description(), "4 items, weight at most 10 and volume at most 8");
}

TEST(KnapsackInstance, HasPoliciesShownLargeValuesAsIfTheyWereUsual) {
    auto const fitted = find_problem("knapsack")->presentation().into_domain(make(four_items()));
    ASSERT_TRUE(fitted) << fitted.error().message;
    EXPECT_EQ(fitted->scale, 0.25);
    EXPECT_THAT(fitted->note, HasSubstr("values up to 6"));
    EXPECT_EQ(std::get<GraphObservation>(fitted->instance->reset()->observe()).customers(0, 0), 1.5);
}

} // namespace
} // namespace cax::knapsack::test
