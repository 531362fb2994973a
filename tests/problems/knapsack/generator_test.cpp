#include "support.hpp"

#include "cax/problems/registry.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax::knapsack::test {
namespace {

TEST(KnapsackGenerator, DrawsWholeWeightsAndVolumesUpToAHundredAndRoomForHalf) {
    double weights = 0, values = 0, luck = 0;
    double const count = 200 * 50;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Data const data = generated("50", seed)->data();
        double total = 0;
        for (std::size_t i = 0; i < 50; ++i) {
            double const weight = double{data.weights[i]} * double{data.max_weight};
            double const volume = double{data.volumes[i]} * double{data.max_volume};
            EXPECT_NEAR(weight, std::round(weight), 1e-3);
            EXPECT_GE(std::round(weight), 1);
            EXPECT_LE(std::round(weight), 100);
            total += std::round(weight);
            double const value = double{data.values[i]} * 100;
            EXPECT_NEAR(value, std::round(value), 1e-3);
            EXPECT_GE(value, (weight + volume) / 2 - 1e-3); // what an item takes, and up to 50 beside it
            EXPECT_LE(value, (weight + volume) / 2 + 51);
            weights += weight;
            values += value;
            luck += value - (weight + volume) / 2;
        }
        EXPECT_EQ(std::floor(total / 2), double{data.max_weight});
    }
    EXPECT_NEAR(weights / count, 50.5, 1);
    EXPECT_NEAR(values / count, 75.75, 1); // half a unit more by rounding up, but for halves
    EXPECT_NEAR(luck / count, 25.25, 0.6);
}

TEST(KnapsackGenerator, TakesATightnessAndLetsEveryItemFitAlone) {
    Problem const& problem = *find_problem("knapsack");
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Rng rng(seed);
        auto const drawn = problem.generate("20", {{"tightness", "0.02"}}, rng);
        ASSERT_TRUE(drawn) << drawn.error().message;
        StatePtr const state = (*drawn)->reset();
        for (std::uint8_t const allowed : state->action_mask()) EXPECT_EQ(allowed, 1);
        EXPECT_FALSE(state->done());
    }
    Rng rng(1);
    EXPECT_FALSE(problem.generate("20", {{"tightness", "1.5"}}, rng));
    EXPECT_FALSE(problem.generate("1", {}, rng));
}

} // namespace
} // namespace cax::knapsack::test
