#include "cax/explain/sensitivity_interval.hpp"

#include "cax/core/rng.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace cax {
namespace {

using Sizes = std::vector<std::vector<StratumAnswer>>;

/// A draw: what the policy would do, and what the gradient foretells of it.
struct Draw {
    double value = 0;
    double foretold = 0;
};

/// A world: what a draw of a size does, and the mean of all of them over the sizes.
struct World {
    std::string name;
    std::function<double(std::size_t size, Rng& rng)> value;
    double mean = 0;
};

/// Double sampling from its definition: sort by what is foretold, cut into strata, take one of each. Of the draws,
/// `lost` of 100 allow nothing.
std::vector<StratumAnswer> ask(World const& world, std::size_t size, std::size_t shots, double noise, std::size_t lost,
                               Rng& rng) {
    constexpr std::size_t pool = 8;
    std::vector<Draw> drawn;
    for (std::size_t d = 0; d < shots * pool; ++d) {
        double const value = world.value(size, rng);
        double const foretold = value + noise * rng.normal();
        if (rng.below(100) >= lost) drawn.push_back({value, foretold});
    }
    std::ranges::stable_sort(drawn, {}, &Draw::foretold);
    std::vector<StratumAnswer> answers;
    std::size_t const strata = std::min(shots, drawn.size());
    for (std::size_t h = 0; h < strata; ++h) {
        std::size_t const begin = h * drawn.size() / strata;
        std::size_t const many = (h + 1) * drawn.size() / strata - begin;
        double const weight = static_cast<double>(many) / static_cast<double>(drawn.size());
        answers.push_back({weight, drawn[begin + rng.below(many)].value});
    }
    return answers;
}

/// The part of simulated samples whose interval holds the true mean.
template <class Interval>
double coverage(World const& world, std::size_t shots, double noise, std::size_t lost, Interval const& interval) {
    constexpr std::uint32_t trials = 1000;
    std::size_t held = 0;
    for (std::uint32_t t = 0; t < trials; ++t) {
        Rng rng(17, t, static_cast<std::uint32_t>(shots), static_cast<std::uint32_t>(lost));
        Sizes const sizes{ask(world, 0, shots, noise, lost, rng), ask(world, 1, shots, noise, lost, rng)};
        auto const [low, high] = interval(sizes);
        if (low <= world.mean && world.mean <= high) ++held;
    }
    return static_cast<double>(held) / trials;
}

World flips(double at_small, double at_large) {
    return {"flips " + std::to_string(at_small) + " " + std::to_string(at_large),
            [=](std::size_t size, Rng& rng) { return rng.uniform() < (size == 0 ? at_small : at_large) ? 1.0 : 0.0; },
            (at_small + at_large) / 2};
}

/// Small effects as a rule, and large ones now and then.
World rare(double how_often) {
    return {"rare " + std::to_string(how_often),
            [=](std::size_t, Rng& rng) {
                double const small = 0.02 * rng.uniform();
                return rng.uniform() < how_often ? rng.uniform(0.3, 1) : small;
            },
            how_often * 0.65 + (1 - how_often) * 0.01};
}

World smooth() {
    return {"smooth", [](std::size_t size, Rng& rng) { return (size == 0 ? 0.1 : 0.4) * rng.uniform(); }, 0.125};
}

constexpr double telling_nothing = 100; ///< what is foretold tells nothing
constexpr double telling_much = 0.05;

TEST(SensitivityInterval, OfARateHoldsItInNineteenOfTwentySamples) {
    for (double const rate : {0.0, 0.005, 0.02, 0.05, 0.1, 0.3, 0.5, 0.8, 0.97, 1.0}) {
        for (World const& world : {flips(rate, rate), flips(rate / 4, rate)}) {
            for (double const noise : {telling_nothing, telling_much}) {
                for (std::size_t const shots : {1, 6, 18}) {
                    EXPECT_GE(coverage(world, shots, noise, 0, [](Sizes const& s) { return rate_interval(s); }), 0.93)
                        << world.name << ", " << shots << " shots, noise " << noise;
                }
            }
        }
    }
}

TEST(SensitivityInterval, OfAMeanEffectHoldsItInNineteenOfTwentySamples) {
    for (World const& world : {rare(0.0), rare(0.01), rare(0.05), rare(0.2), rare(0.6), smooth(), flips(0.01, 0.03)}) {
        for (double const noise : {telling_nothing, telling_much}) {
            for (std::size_t const shots : {6, 18}) {
                EXPECT_GE(coverage(world, shots, noise, 0, [](Sizes const& s) { return mean_interval(s); }), 0.93)
                    << world.name << ", " << shots << " shots, noise " << noise;
            }
        }
    }
}

TEST(SensitivityInterval, HoldsWhereDrawsAreDroppedAndStrataAreUnequal) {
    for (World const& world : {flips(0.02, 0.1), flips(0.4, 0.9)}) {
        EXPECT_GE(coverage(world, 6, telling_much, 60, [](Sizes const& s) { return rate_interval(s); }), 0.93)
            << world.name;
        EXPECT_GE(coverage(world, 6, telling_nothing, 95, [](Sizes const& s) { return rate_interval(s); }), 0.93)
            << world.name;
    }
}

TEST(SensitivityInterval, WithoutAFlipIsThatOfAsManyIndependentAnswers) {
    Sizes const none{std::vector<StratumAnswer>(6, {1.0 / 6, 0}), std::vector<StratumAnswer>(6, {1.0 / 6, 0})};
    auto const [low, high] = rate_interval(none);
    EXPECT_EQ(low, 0);
    EXPECT_NEAR(high, 1 - std::pow(0.025, 1.0 / 12), 1e-9); // by definition: twelve misses have probability 0.025
    auto const mean = mean_interval(none);
    EXPECT_EQ(mean.low, 0);
    EXPECT_GT(mean.high, 0.2);
}

TEST(SensitivityInterval, NamesEverythingWhereNothingWasAsked) {
    Sizes const nothing(2);
    EXPECT_EQ(rate_interval(nothing).low, 0);
    EXPECT_EQ(rate_interval(nothing).high, 1);
    EXPECT_EQ(mean_interval(nothing, 3).high, 3);
}

TEST(SensitivityInterval, DoesNotCountASizeWithoutAnswers) {
    std::vector<StratumAnswer> const asked{{0.5, 1}, {0.5, 0}};
    Sizes const one{asked}, two{asked, {}};
    EXPECT_EQ(rate_interval(one).low, rate_interval(two).low);
    EXPECT_EQ(rate_interval(one).high, rate_interval(two).high);
}

TEST(SensitivityInterval, GrowsWithTheLargestEffectAndShrinksWithAnswers) {
    std::vector<StratumAnswer> few(10, {0.1, 0.2}), many(2000, {1.0 / 2000, 0.2});
    auto const width = [](SensitivityInterval const& interval) { return interval.high - interval.low; };
    EXPECT_GT(width(mean_interval(Sizes{few}, 2)), width(mean_interval(Sizes{few}, 1)));
    EXPECT_LT(width(mean_interval(Sizes{many})), 0.02);
    EXPECT_LT(mean_interval(Sizes{many}).low, 0.2);
    EXPECT_GT(mean_interval(Sizes{many}).high, 0.2);
}

} // namespace
} // namespace cax
