#include "tour_support.hpp"

#include "cax/problems/pctsp/instance.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <gmock/gmock.h>

namespace cax::test {
namespace {

/// Customers at 3, 4 and 5 from the depot; two of them have enough prize.
InstancePtr three_prizes() {
    auto const instance = pctsp::Instance::make({.name = "three",
                                                 .locs = {{0, 0}, {3, 0}, {0, 4}, {-5, 0}},
                                                 .prize = {0.5F, 0.5F, 0.25F},
                                                 .penalty = {0, 1, 2, 4}});
    EXPECT_TRUE(instance) << instance.error().message;
    return *instance;
}

std::vector<int> mask_now(State const& state) { return {state.action_mask().begin(), state.action_mask().end()}; }

TEST(Pctsp, ComesHomeOnceItHasCollectedEnough) {
    auto const instance = three_prizes();
    auto const state = instance->reset();
    EXPECT_EQ(mask_now(*state), (std::vector{0, 1, 1, 1}));
    state->step(1);
    EXPECT_EQ(mask_now(*state), (std::vector{0, 0, 1, 1}));
    EXPECT_EQ(std::get<GraphObservation>(state->observe()).context, (std::vector<double>{0.5}));
    state->step(2);
    EXPECT_EQ(mask_now(*state), (std::vector{1, 0, 0, 1}));
    state->step(0);
    EXPECT_TRUE(state->done());
    EXPECT_EQ(mask_now(*state), (std::vector{1, 0, 0, 0}));
    EXPECT_DOUBLE_EQ(state->cost(), 3 + 5 + 4 + 4); // and the penalty of customer 3
    EXPECT_DOUBLE_EQ(instance->check(Routes{{{1, 2}}}).cost, state->cost());
}

TEST(Pctsp, ComesHomeWhenNobodyIsLeft) {
    auto const poor = pctsp::Instance::make({.locs = {{0, 0}, {1, 0}}, .prize = {0.25F}, .penalty = {0, 1}});
    ASSERT_TRUE(poor) << poor.error().message;
    auto const state = (*poor)->reset();
    EXPECT_EQ(mask_now(*state), (std::vector{0, 1}));
    state->step(1);
    EXPECT_EQ(mask_now(*state), (std::vector{1, 0}));
    EXPECT_TRUE((*poor)->check(Routes{{{1}}}).valid());
    EXPECT_FALSE((*poor)->check(Routes{{{}}}).valid());
}

TEST(Pctsp, OffersExactlyWhatTheRulesAllow) {
    expect_masks(
        "pctsp",
        [](Instance const& any, std::vector<std::size_t> const& actions) {
            auto const& data = dynamic_cast<pctsp::Instance const&>(any).data();
            std::vector<int> mask(data.locs.size(), 1);
            float collected = 0;
            for (std::size_t const a : actions) {
                mask[a] = 0;
                if (a > 0) collected += data.prize[a - 1];
            }
            mask[0] = collected >= 1.0F || std::ranges::count(mask.begin() + 1, mask.end(), 1) == 0 ? 1 : 0;
            return mask;
        },
        1000);
}

TEST(Pctsp, SaysWhatIsWrongWithATour) {
    auto const instance = three_prizes();
    EXPECT_THAT(wrong_with(*instance, {1, 2}), testing::IsEmpty());
    EXPECT_THAT(wrong_with(*instance, {1, 3}),
                testing::ElementsAre("the tour collects 0.75, less than 1, and leaves customers out"));
    EXPECT_THAT(wrong_with(*instance, {1, 2, 1}), testing::ElementsAre("customer 1 is visited 2 times"));
    EXPECT_THAT(wrong_with(*instance, {1, 2, 0}),
                testing::ElementsAre("there is no customer 0 (customers are 1 to 3)"));
}

TEST(Pctsp, MovesThePrizeThatIsRequiredOnlyWhileSomeIsMissing) {
    auto const state = three_prizes()->reset();
    auto gradient = std::get<GraphObservation>(state->observe());
    gradient.context = {7};
    EXPECT_EQ(state->pull_back_constant("prize_required", gradient), (std::vector<double>{7}));
    EXPECT_TRUE(state->pull_back_constant("no such number", gradient).empty());
    state->step(1);
    state->step(2);
    EXPECT_EQ(state->pull_back_constant("prize_required", gradient), (std::vector<double>{0}));
}

} // namespace
} // namespace cax::test
