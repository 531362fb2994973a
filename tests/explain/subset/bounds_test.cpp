#include "cax/explain/bounds.hpp"

#include "binomial_tail.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

TEST(Bounds, SizeTheSamplesOfThePaper) {
    EXPECT_EQ(*hoeffding_trials(0.2, 0.2, 25), 70U);
    EXPECT_EQ(*hoeffding_trials(0.2, 0.2, 1), 29U);
    EXPECT_EQ(*hoeffding_trials(0.2, 0.2, 5), 49U);
}

TEST(Bounds, LowerBoundIsWhereTheTailReachesAlpha) {
    for (std::size_t const successes : {1U, 20U, 56U, 64U, 69U, 70U}) {
        for (double const alpha : {0.2, 0.008, 1e-6}) {
            double const bound = clopper_pearson_lower(successes, 70, alpha);
            EXPECT_NEAR(test::binomial_tail(successes, 70, bound), alpha, 1e-9) << successes << " " << alpha;
        }
    }
}

TEST(Bounds, FiftySixOfSeventyIsNotEnoughForEightTenthsButSixtyFourIs) {
    double const level = 0.2 / 25;
    EXPECT_NEAR(clopper_pearson_lower(56, 70, level), 0.66, 0.005);
    EXPECT_LT(clopper_pearson_lower(63, 70, level), 0.8);
    EXPECT_GE(clopper_pearson_lower(64, 70, level), 0.8);
}

TEST(Bounds, NothingIsKnownWithoutTrials) {
    EXPECT_EQ(clopper_pearson_lower(0, 0, 0.1), 0);
    EXPECT_EQ(hoeffding_lower(0, 0, 0.1), 0);
}

TEST(Bounds, HoeffdingIsNeverAboveTheExactBoundAtPaperSizes) {
    for (std::size_t successes = 0; successes <= 70; ++successes) {
        EXPECT_LE(hoeffding_lower(successes, 70, 0.008), clopper_pearson_lower(successes, 70, 0.008) + 1e-12);
    }
}

TEST(Bounds, RefuseWhatIsNoProbability) {
    EXPECT_EQ(hoeffding_trials(0, 0.2, 1).error().message, "epsilon: 0 is not between 0 and 1");
    EXPECT_EQ(hoeffding_trials(std::nan(""), 0.2, 1).error().message, "epsilon: nan is not between 0 and 1");
    EXPECT_EQ(hoeffding_trials(0.2, 1, 1).error().message, "delta: 1 is not between 0 and 1");
    EXPECT_EQ(hoeffding_trials(0.2, 0.2, 0).error().message, "tests: 0 tests need no trials");
    EXPECT_FALSE(hoeffding_trials(1e-9, 0.2, 1));
}

} // namespace
} // namespace cax
