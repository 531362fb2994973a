#include "support.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"

#include <gmock/gmock.h>

namespace cax::knapsack::test {
namespace {

using testing::ElementsAre;

ActionMask mask_of(State const& state) { return {state.action_mask().begin(), state.action_mask().end()}; }

TEST(KnapsackState, AllowsWhatFitsBothByWeightAndByVolume) {
    auto const state = make(four_items())->reset();
    EXPECT_THAT(mask_of(*state), ElementsAre(1, 1, 1, 1));
    state->step(0); // weight 6 of 10, volume 2 of 8: 1 and 2 are too heavy, 3 is just not too bulky
    EXPECT_THAT(mask_of(*state), ElementsAre(0, 0, 0, 1));
    EXPECT_FALSE(state->done());
    state->step(3);
    EXPECT_TRUE(state->done());
    EXPECT_EQ(state->cost(), 7);
}

TEST(KnapsackState, EndsWhenNothingFitsAnyMore) {
    auto const state = make(four_items())->reset();
    state->step(1);
    EXPECT_THAT(mask_of(*state), ElementsAre(0, 0, 1, 0)); // 3 is too bulky
    state->step(2);
    EXPECT_TRUE(state->done());
    EXPECT_EQ(state->cost(), 9);
}

TEST(KnapsackState, ShowsPoliciesSharesOfWhatIsLeftAtMostAllOfItAndNoPlace) {
    auto const state = make(four_items())->reset();
    auto const first = std::get<GraphObservation>(state->observe());
    EXPECT_TRUE(first.placeless && first.stepwise);
    EXPECT_TRUE(first.depot.empty());
    ASSERT_EQ(first.customers.rows(), 4U);
    ASSERT_EQ(first.customers.cols(), 3U);
    EXPECT_EQ(first.customers(3, 0), 1);
    EXPECT_EQ(first.customers(3, 1), double{0.1F});
    EXPECT_EQ(first.customers(3, 2), 0.75);
    state->step(1); // half of both is left
    auto const seen = std::get<GraphObservation>(state->observe());
    EXPECT_THAT(seen.context, ElementsAre(0.5, 0.5));
    EXPECT_EQ(seen.customers(3, 0), 1);
    EXPECT_EQ(seen.customers(3, 1), 2 * double{0.1F});
    EXPECT_EQ(seen.customers(3, 2), 1) << "it does not fit: all there is would not do";
    EXPECT_EQ(seen.customers.values().size(),
              std::get<GraphObservation>(state->observe_for_decoding()).customers.values().size());
}

/// What is left of a knapsack is a knapsack: a policy cannot tell the two apart but for what it is told is left.
TEST(KnapsackState, ShowsTheRestAsItWouldShowThatKnapsack) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        auto const whole = generated("20", seed);
        Rng rng(3, static_cast<std::uint32_t>(seed));
        StatePtr const state = whole->reset();
        for (int step = 0; step < 5; ++step) {
            std::vector<std::size_t> allowed;
            for (std::size_t i = 0; i < 20; ++i)
                if (state->action_mask()[i] != 0) allowed.push_back(i);
            if (allowed.size() < 3) break;
            state->step(allowed[rng.below(allowed.size())]);
        }
        if (state->done()) continue;
        auto const seen = std::get<GraphObservation>(state->observe());
        Data rest{.max_weight = static_cast<float>(seen.context[0]), .max_volume = static_cast<float>(seen.context[1])};
        std::vector<std::size_t> left;
        for (std::size_t i = 0; i < 20; ++i) {
            if (state->action_mask()[i] == 0) continue;
            left.push_back(i);
            rest.values.push_back(whole->data().values[i]);
            rest.weights.push_back(std::min(whole->data().weights[i] / rest.max_weight, 1.0F));
            rest.volumes.push_back(std::min(whole->data().volumes[i] / rest.max_volume, 1.0F));
        }
        auto const alone = std::get<GraphObservation>(make(rest)->reset()->observe());
        for (std::size_t k = 0; k < left.size(); ++k)
            for (std::size_t c = 0; c < 3; ++c)
                EXPECT_NEAR(seen.customers(left[k], c), alone.customers(k, c), 1e-6) << seed;
    }
}

TEST(KnapsackState, ShowsNumbersEvenWhereNothingIsLeft) {
    Data data = four_items();
    data.weights = {1, 0, 0.5F, 0};
    auto const state = make(data)->reset();
    state->step(0);
    auto const seen = std::get<GraphObservation>(state->observe());
    EXPECT_EQ(seen.context[0], 0);
    EXPECT_EQ(seen.customers(1, 1), 0);
    EXPECT_EQ(seen.customers(2, 1), 1);
}

TEST(KnapsackState, SaysHowTightEachResourceIsAndWhatIsPackedAlready) {
    auto const state = make(four_items())->reset();
    state->step(0);
    auto const slacks = slacks_of(*state, 1);
    ASSERT_EQ(slacks.size(), 2U);
    EXPECT_EQ(slacks[0].family, 1U);
    EXPECT_NEAR(slacks[0].used, 11, 1e-5);
    EXPECT_EQ(slacks[0].limit, 10);
    EXPECT_NEAR(slacks[0].slack, -1, 1e-5);
    EXPECT_EQ(slacks[1].family, 2U);
    EXPECT_NEAR(slacks[1].slack, 2, 1e-5);
    auto const packed = slacks_of(*state, 0);
    ASSERT_EQ(packed.size(), 1U);
    EXPECT_TRUE(packed[0].by_nature);
    EXPECT_EQ(describe_action(*state, 1), "pack item 1");
}

/// In whole units, as a person counts: this shares nothing with the state.
TEST(KnapsackState, AgreesWithANaiveMaskAllAlongRandomEpisodes) {
    std::size_t forbidden_by_weight = 0, forbidden_by_volume = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        auto const instance = generated("20", seed);
        Data const& data = instance->data();
        auto const units = [](float share, float whole) { return std::lround(double{share} * double{whole}); };
        Rng rng(7, static_cast<std::uint32_t>(seed));
        StatePtr const state = instance->reset();
        std::vector<bool> packed(20, false);
        long weight = 0, volume = 0;
        while (true) {
            std::vector<std::size_t> allowed;
            for (std::size_t i = 0; i < 20; ++i) {
                bool const heavy = weight + units(data.weights[i], data.max_weight) > std::lround(data.max_weight);
                bool const bulky = volume + units(data.volumes[i], data.max_volume) > std::lround(data.max_volume);
                forbidden_by_weight += !packed[i] && heavy && !bulky;
                forbidden_by_volume += !packed[i] && bulky && !heavy;
                bool const fits = !packed[i] && !heavy && !bulky;
                ASSERT_EQ(state->action_mask()[i] != 0, fits) << "item " << i << " of instance " << seed;
                if (fits) allowed.push_back(i);
            }
            ASSERT_EQ(state->done(), allowed.empty());
            if (allowed.empty()) break;
            std::size_t const item = allowed[rng.below(allowed.size())];
            state->step(item);
            packed[item] = true;
            weight += units(data.weights[item], data.max_weight);
            volume += units(data.volumes[item], data.max_volume);
        }
    }
    EXPECT_GT(forbidden_by_weight, 1000U); // both resources matter
    EXPECT_GT(forbidden_by_volume, 1000U);
}

TEST(KnapsackState, FindsTheEpisodeOfAPackingAndRefusesOneThatStopsEarly) {
    auto const instance = make(four_items());
    EXPECT_THAT(*actions_of(*instance, Packing{{0, 3}}, std::vector<std::size_t>{3, 1}), ElementsAre(3, 0));
    auto const early = actions_of(*instance, Packing{{0}});
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().message, "the episode is not finished after 1 steps");
}

} // namespace
} // namespace cax::knapsack::test
