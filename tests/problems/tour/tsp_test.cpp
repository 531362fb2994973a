#include "tour_support.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/problems/tsp/instance.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <gmock/gmock.h>

namespace cax::test {
namespace {

/// A rectangle of 3 by 4.
InstancePtr rectangle() {
    auto const instance = tsp::Instance::make({.name = "rectangle", .locs = {{0, 0}, {3, 0}, {3, 4}, {0, 4}}});
    EXPECT_TRUE(instance) << instance.error().message;
    return *instance;
}

TEST(Tsp, BeginsWhereTheFirstActionSays) {
    auto const instance = rectangle();
    auto const state = instance->reset();
    auto const before = std::get<GraphObservation>(state->observe());
    EXPECT_TRUE(before.free_start);
    EXPECT_FALSE(before.first_node);
    EXPECT_TRUE(before.depot.empty());
    EXPECT_EQ(before.customers.rows(), 4);
    state->step(2);
    state->step(1);
    auto const after = std::get<GraphObservation>(state->observe());
    EXPECT_EQ(after.first_node, 2);
    EXPECT_EQ(after.current_node, 1);
    state->step(0);
    state->step(3);
    EXPECT_TRUE(state->done());
    EXPECT_DOUBLE_EQ(state->cost(), 14);
    EXPECT_EQ(*instance->solution_of(std::vector<std::size_t>{2, 1, 0, 3}), Solution{(Routes{{{2, 1, 0, 3}}})});
    EXPECT_DOUBLE_EQ(instance->check(Routes{{{0, 2, 1, 3}}}).cost, 5 + 4 + 5 + 4);
}

TEST(Tsp, CallsItsNodesCitiesAndClosesItsDrawings) {
    auto const instance = rectangle();
    Presentation const& shown = instance->problem().presentation();
    EXPECT_EQ(shown.node_label(*instance, 0), "city 0");
    EXPECT_EQ(shown.node_short(*instance, 0), "0");
    auto const state = instance->reset();
    EXPECT_EQ(describe_action(*state, 0), "begin at city 0");
    EXPECT_EQ(shown.drawing(*instance, Routes{{{2, 1, 0, 3}}})["paths"], Json::parse("[[2, 1, 0, 3, 2]]"));
    EXPECT_EQ(shown.moment(*state, std::vector<std::size_t>{2, 1})["paths"], Json::parse("[[2, 1]]"));
    EXPECT_EQ(to_json(*instance)["cities"].size(), 4);
    EXPECT_FALSE(to_json(*instance).contains("depot"));
}

TEST(Tsp, AllowsEveryCityThatHasNotBeenVisited) {
    expect_masks(
        "tsp",
        [](Instance const& instance, std::vector<std::size_t> const& actions) {
            std::vector<int> mask(instance.reset()->action_mask().size(), 1);
            for (std::size_t const a : actions) mask[a] = 0;
            return mask;
        },
        500);
}

TEST(Tsp, SaysWhatIsWrongWithATour) {
    auto const instance = rectangle();
    EXPECT_THAT(wrong_with(*instance, {0, 1, 2, 3}), testing::IsEmpty());
    EXPECT_THAT(wrong_with(*instance, {0, 1, 2}), testing::ElementsAre("city 3 is not visited"));
    EXPECT_THAT(wrong_with(*instance, {0, 1, 2, 3, 1}), testing::ElementsAre("city 1 is visited 2 times"));
    EXPECT_THAT(wrong_with(*instance, {0, 1, 2, 3, 4}), testing::ElementsAre("there is no city 4 (cities are 0 to 3)"));
    EXPECT_THAT(instance->check(Routes{{{0, 1}, {2, 3}}}).violations,
                testing::Contains("there are 2 routes: a solution is one tour"));
}

} // namespace
} // namespace cax::test
