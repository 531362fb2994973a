#include "cax/explain/multipliers.hpp"

#include "cax/core/rng.hpp"

#include <array>
#include <gtest/gtest.h>

namespace cax {
namespace {

MultiplierRange range(double low, double high, std::vector<double> at_low = {}, std::vector<double> at_high = {}) {
    return {low, high, high, true, std::move(at_low), std::move(at_high), ""};
}

TEST(TopFamily, IsUniqueWhenItsLeastScoreBeatsAllOthersLargest) {
    std::array const ranges{range(2, 3), range(0, 1.9)};
    EXPECT_EQ(top_family(std::array{1.0, 1.0}, ranges), TopFamily::unique);
    EXPECT_NE(top_family(std::array{1.0, 2.0}, ranges), TopFamily::unique);
}

TEST(TopFamily, IsNotUniqueWhenTwoDualsDisagree) {
    std::array const ranges{range(1, 3, {1, 2}, {3, 1}), range(1, 2, {3, 1}, {1, 2})};
    EXPECT_EQ(top_family(std::array{1.0, 1.0}, ranges), TopFamily::not_unique);
}

TEST(TopFamily, IsUndecidedWhenRangesOverlapButNoKnownDualDisagrees) {
    std::array const ranges{range(1, 3, {1, 0.5}, {3, 2}), range(0.5, 2, {1, 0.5}, {3, 2})};
    EXPECT_EQ(top_family(std::array{1.0, 1.0}, ranges), TopFamily::undecided);
}

TEST(TopFamily, IsNotUniqueWithoutMass) {
    std::array const ranges{range(1, 1, {1, 1}, {1, 1}), range(1, 1, {1, 1}, {1, 1})};
    EXPECT_EQ(top_family(std::array{0.0, 0.0}, ranges), TopFamily::not_unique);
    EXPECT_EQ(top_family(std::array{0.0, 0.0}, std::array{range(1, 1), range(1, 1)}), TopFamily::not_unique);
}

TEST(TopFamily, IgnoresAnUnboundedFamilyWithoutMass) {
    std::array const ranges{range(1, 1), range(1, lp_infinity)};
    EXPECT_EQ(top_family(std::array{1.0, 0.0}, ranges), TopFamily::unique);
    EXPECT_EQ(top_family(std::array{1.0, 0.1}, ranges), TopFamily::undecided);
}

TEST(TopFamily, IsNotUniqueWhenAnotherFamilyGrowsWithoutEnd) {
    std::array const ranges{range(1, 1, {1, 0.5}, {1, 0.5}), range(0.5, lp_infinity, {1, 0.5})};
    EXPECT_EQ(top_family(std::array{1.0, 1.0}, ranges), TopFamily::not_unique);
}

TEST(TopFamily, UsesTheProvenBoundAndNotTheAttainedMaximum) {
    MultiplierRange open = range(0, 0.5);
    open.high_bound = 2;
    EXPECT_EQ(top_family(std::array{1.0, 1.0}, std::array{range(1, 1), open}), TopFamily::undecided);
}

/// Whenever it says unique, no choice of multipliers within the ranges has another top.
TEST(TopFamily, NeverCallsUniqueWhatSomeChoiceOverturns) {
    Rng rng(6);
    int unique = 0;
    for (int k = 0; k < 500; ++k) {
        std::array<double, 3> masses{};
        std::vector<MultiplierRange> ranges;
        for (double& mass : masses) {
            mass = rng.uniform();
            double const low = rng.uniform(0, 2);
            ranges.push_back(range(low, low + rng.uniform(0, 0.5)));
        }
        if (top_family(masses, ranges) != TopFamily::unique) continue;
        ++unique;
        std::optional<std::size_t> first;
        for (int trial = 0; trial < 50; ++trial) {
            std::size_t top = 0;
            double best = -1;
            for (std::size_t f = 0; f < 3; ++f) {
                double const score = masses[f] * rng.uniform(ranges[f].low, ranges[f].high);
                if (score > best) {
                    best = score;
                    top = f;
                }
            }
            if (!first) first = top;
            EXPECT_EQ(*first, top);
        }
    }
    EXPECT_GT(unique, 50);
}

} // namespace
} // namespace cax
