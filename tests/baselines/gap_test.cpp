#include "cax/baselines/gap.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

TEST(OptimalityGap, IsTheFractionByWhichALengthExceedsTheBest) {
    EXPECT_DOUBLE_EQ(*optimality_gap(Objective::minimise, 110, 100), 0.1);
    EXPECT_DOUBLE_EQ(*optimality_gap(Objective::minimise, 90, 100), -0.1);
    EXPECT_DOUBLE_EQ(*optimality_gap(Objective::minimise, 100, 100), 0);
}

TEST(OptimalityGap, IsPositiveForLessPrizeThanTheBest) {
    EXPECT_DOUBLE_EQ(*optimality_gap(Objective::maximise, 4, 5), 0.2);
    EXPECT_DOUBLE_EQ(*optimality_gap(Objective::maximise, 6, 5), -0.2);
}

TEST(OptimalityGap, OfNothingAgainstNothingIsNone) {
    EXPECT_EQ(*optimality_gap(Objective::maximise, 0, 0), 0);
    auto const undefined = optimality_gap(Objective::minimise, 3, 0);
    ASSERT_FALSE(undefined);
    EXPECT_NE(undefined.error().message.find("best known cost is 0"), std::string::npos);
}

TEST(OptimalityGap, KeepsItsSignForANegativeBest) {
    EXPECT_DOUBLE_EQ(*optimality_gap(Objective::minimise, -90, -100), 0.1);
}

TEST(GapSummary, IsMeanSampleDeviationAndLargest) {
    std::array const gaps{0.1, 0.2, 0.6};
    GapSummary const summary = summarise_gaps(gaps);
    EXPECT_NEAR(summary.mean, 0.3, 1e-15);
    EXPECT_NEAR(summary.deviation, std::sqrt((0.04 + 0.01 + 0.09) / 2), 1e-15);
    EXPECT_EQ(summary.largest, 0.6);
}

TEST(GapSummary, OfOneGapHasNoDeviation) {
    std::array const gaps{-0.25};
    GapSummary const summary = summarise_gaps(gaps);
    EXPECT_EQ(summary.mean, -0.25);
    EXPECT_EQ(summary.deviation, 0);
    EXPECT_EQ(summary.largest, -0.25);
}

} // namespace
} // namespace cax
