#include "ledger.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace cax::parity {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Ledger, CountsEqualValuesWithoutAFailure) {
    GoldenFolder folder;
    Ledger ledger(folder);
    std::vector<double> const values{1, -infinity, 0.5};
    ledger.equal(folder.states, "key", values, values);
    EXPECT_EQ(folder.states.compared, 1U);
    EXPECT_EQ(folder.states.unequal, 0U);
    EXPECT_EQ(folder.failure_count, 0U);
}

TEST(Ledger, NamesTheFirstEntryThatDiffersAndTheLargestDifference) {
    GoldenFolder folder;
    Ledger ledger(folder);
    ledger.equal(folder.states, "reset/locs", std::vector<double>{1, 2, 3}, std::vector<double>{1, 2.5, 7});
    EXPECT_EQ(folder.states.unequal, 1U);
    ASSERT_EQ(folder.failures.size(), 1U);
    EXPECT_EQ(folder.failures[0], "reset/locs, entry 1: 2, ours 2.5 (2 of 3 values differ, by 4 at most)");
}

TEST(Ledger, DoesNotTakeValuesThatAreNotNumbersForEqual) {
    GoldenFolder folder;
    Ledger ledger(folder);
    std::vector<double> const values{std::nan("")};
    ledger.equal(folder.states, "key", values, values);
    EXPECT_EQ(folder.states.unequal, 1U);
    ledger.close(folder.log_probs64, "key", values, values, Tolerance::absolute(1e9));
    EXPECT_EQ(folder.log_probs64.exceeded, 1U);
}

TEST(Ledger, ReportsALengthThatDiffers) {
    GoldenFolder folder;
    Ledger ledger(folder);
    ledger.equal(folder.masks, "mask", std::vector<double>{1, 1}, std::vector<double>{1});
    ledger.close(folder.log_probs32, "logprobs", std::vector<double>{1, 1}, std::vector<double>{1},
                 Tolerance::absolute(1));
    EXPECT_EQ(folder.masks.unequal, 1U);
    EXPECT_EQ(folder.log_probs32.exceeded, 1U);
    EXPECT_EQ(folder.failure_count, 2U);
}

TEST(Ledger, AcceptsADifferenceWithinTheToleranceAndRemembersTheLargest) {
    GoldenFolder folder;
    Ledger ledger(folder);
    ledger.close(folder.log_probs32, "small", std::vector<double>{-1}, std::vector<double>{-1.25},
                 Tolerance::absolute(0.5));
    ledger.close(folder.log_probs32, "smaller", std::vector<double>{-1}, std::vector<double>{-1.125},
                 Tolerance::absolute(0.5));
    EXPECT_EQ(folder.failure_count, 0U);
    EXPECT_DOUBLE_EQ(folder.log_probs32.largest, 0.25);
    EXPECT_EQ(folder.log_probs32.where, "small");
    EXPECT_EQ(folder.log_probs32.compared, 2U);
}

TEST(Ledger, MeasuresGradientsRelativeToTheLargestEntry) {
    GoldenFolder folder;
    Ledger ledger(folder);
    // 100 * 1e-3 + 0 is allowed, half of it is used: reported as 5e-4.
    ledger.close(folder.gradients64, "grad", std::vector<double>{100, 1}, std::vector<double>{100, 1.05},
                 Tolerance::relative(1e-3, 100, 0));
    EXPECT_EQ(folder.failure_count, 0U);
    EXPECT_NEAR(folder.gradients64.largest, 5e-4, 1e-12);
}

TEST(Ledger, RejectsAnInfinityThatOnlyOneSideHas) {
    GoldenFolder folder;
    Ledger ledger(folder);
    ledger.close(folder.log_probs64, "mask", std::vector<double>{-infinity}, std::vector<double>{-infinity},
                 Tolerance::absolute(1));
    EXPECT_EQ(folder.failure_count, 0U);
    ledger.close(folder.log_probs64, "mask", std::vector<double>{-infinity}, std::vector<double>{-3},
                 Tolerance::absolute(1e300));
    EXPECT_EQ(folder.failure_count, 1U);
}

TEST(Ledger, CountsAKinkInsteadOfFailing) {
    GoldenFolder folder;
    Ledger ledger(folder);
    Tolerance const tolerance{1e-4, 0.1, 2.0};
    ledger.close(folder.gradients32, "grad", std::vector<double>{10}, std::vector<double>{11}, tolerance);
    EXPECT_EQ(folder.gradients32.kinks, 1U);
    EXPECT_EQ(folder.failure_count, 0U);
    ledger.close(folder.gradients32, "grad", std::vector<double>{10}, std::vector<double>{12.5}, tolerance);
    EXPECT_EQ(folder.gradients32.kinks, 1U);
    EXPECT_EQ(folder.gradients32.exceeded, 1U);
}

TEST(Ledger, KeepsTheFirstFewSentencesAndCountsTheRest) {
    GoldenFolder folder;
    Ledger ledger(folder);
    for (int i = 0; i < 1000; ++i) ledger.fail(std::to_string(i));
    EXPECT_EQ(folder.failure_count, 1000U);
    EXPECT_LT(folder.failures.size(), 50U);
    EXPECT_EQ(folder.failures.front(), "0");
}

} // namespace
} // namespace cax::parity
