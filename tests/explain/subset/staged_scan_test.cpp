// The scan in stages on coins of known probability: what it promises, counted.
#include "subset/subset_scan.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace cax {
namespace {

/// Size k keeps the decision with the k-th probability. With `alike`, sizes answer alike: a sample has one number, and
/// whatever size it is shown to survives if that number is small enough.
class SizedCoins final : public Preservation {
public:
    SizedCoins(std::vector<double> probabilities, std::uint64_t seed, bool alike)
        : probabilities_(std::move(probabilities)), seed_(seed), alike_(alike) {}

    [[nodiscard]] std::size_t nodes() const override { return probabilities_.size(); }
    [[nodiscard]] std::vector<std::uint8_t> ask(NodeSet const& kept, std::span<std::size_t const> samples) override {
        auto const size = static_cast<std::size_t>(std::accumulate(kept.begin(), kept.end(), 0));
        std::vector<std::uint8_t> answers;
        for (std::size_t const sample : samples) {
            Rng rng(seed_, static_cast<std::uint32_t>(sample), alike_ ? 0 : static_cast<std::uint32_t>(size));
            answers.push_back(rng.uniform() < probabilities_[size - 1] ? 1 : 0);
        }
        passes_ += samples.size();
        return answers;
    }
    [[nodiscard]] std::size_t forward_passes() const override { return passes_; }

private:
    std::vector<double> probabilities_;
    std::uint64_t seed_;
    bool alike_;
    std::size_t passes_ = 0;
};

SubsetOptions certified() {
    SubsetOptions options;
    options.accept = Acceptance::certified;
    return options;
}

StagedSubset scan(SizedCoins& coins, SubsetOptions const& options) {
    std::vector<std::size_t> order(coins.nodes());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return scan_in_stages(coins, *subset_rule(options), order, options);
}

/// The share of scans that accept a size below 1 - epsilon.
double wrongly_accepted(std::vector<double> const& probabilities, bool alike, SubsetOptions const& options,
                        std::size_t runs) {
    std::size_t wrong = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
        SizedCoins coins(probabilities, 7'919 * run + 13, alike);
        std::size_t const accepted = scan(coins, options).scanned.accepted;
        if (accepted != 0 && probabilities[accepted - 1] < 1 - options.epsilon) ++wrong;
    }
    return static_cast<double>(wrong) / static_cast<double>(runs);
}

TEST(StagedScan, IsWrongAtMostDeltaOfTheTimeOnCoinsJustBelow) {
    SubsetOptions const options = certified();
    for (bool const alike : {false, true}) {
        double const share = wrongly_accepted(std::vector(25, 0.7999), alike, options, 10'000);
        RecordProperty(alike ? "alike" : "independent", std::to_string(share));
        EXPECT_LE(share, options.delta + 3 * std::sqrt(0.2 * 0.8 / 10'000));
        EXPECT_GT(share, 0.01); // the test is one that could fail
    }
}

TEST(StagedScan, IsWrongAtMostDeltaOfTheTimeWhereSizesGetBetter) {
    SubsetOptions const options = certified();
    std::vector<double> rising(25);
    for (std::size_t k = 0; k < 25; ++k) rising[k] = 0.3 + 0.028 * static_cast<double>(k); // above 0.8 from 19 on
    for (bool const alike : {false, true}) EXPECT_LE(wrongly_accepted(rising, alike, options, 10'000), options.delta);
}

TEST(StagedScan, GivesABoundThatHolds) {
    SubsetOptions const options = certified();
    for (double const p : {0.82, 0.9, 0.97}) {
        std::size_t above = 0;
        for (std::uint64_t run = 0; run < 4'000; ++run) {
            SizedCoins coins(std::vector(5, p), 104'729 * run + 1, false);
            StagedSubset const found = scan(coins, options);
            if (found.scanned.accepted == 0) continue;
            EXPECT_GE(found.observed.lower_bound, 0.8);
            above += found.observed.lower_bound > p ? 1 : 0;
        }
        EXPECT_LE(static_cast<double>(above) / 4'000, options.delta) << p;
    }
}

TEST(StagedScan, FindsWhatIsClearWithAQuarterOfTheSamples) {
    SubsetOptions const options = certified();
    std::vector<double> probabilities(25, 0.3);
    for (std::size_t k = 8; k < 25; ++k) probabilities[k] = 0.995;
    std::size_t found = 0;
    std::size_t staged = 0;
    std::size_t fixed = 0;
    for (std::uint64_t run = 0; run < 500; ++run) {
        SizedCoins coins(probabilities, run, true);
        std::size_t const accepted = scan(coins, options).scanned.accepted;
        found += accepted >= 9 ? 1 : 0;
        staged += coins.forward_passes();
        SizedCoins again(probabilities, run, true);
        std::vector<std::size_t> order(25);
        std::iota(order.begin(), order.end(), std::size_t{0});
        EXPECT_LE(scan_order(again, *subset_rule(options), order, options).tests.size(), 25U);
        fixed += again.forward_passes();
    }
    EXPECT_GT(found, 450U);
    EXPECT_LT(4 * staged, fixed);
}

TEST(StagedScan, StaysWithWhatItHasSeenWhereSoFewSamplesAreAllowedThatNoneCouldConvince) {
    SubsetOptions options = certified();
    options.samples = 22;
    std::vector<double> probabilities(25, 0.6); // good enough to be tried often
    for (std::uint64_t run = 0; run < 200; ++run) {
        SizedCoins coins(probabilities, run, false);
        StagedSubset const found = scan(coins, options);
        EXPECT_GT(found.observed.samples, 0U);
        EXPECT_TRUE(std::isfinite(found.observed.rate));
    }
}

TEST(StagedScan, GivesTheFirstAttemptTwoThirdsOfDelta) {
    SubsetOptions const options = certified();
    SizedCoins always(std::vector(6, 1.0), 1, false);
    StagedSubset const found = scan(always, options);
    EXPECT_EQ(found.scanned.accepted, 1U);
    EXPECT_EQ(found.attempts, 1U);
    EXPECT_NEAR(found.level, options.delta * 2 / 3, 1e-12);
    EXPECT_EQ(always.forward_passes(), 6U + 11U); // 0.8^11 = 0.086 <= 2/3 of the level < 0.8^10
}

TEST(StagedScan, GivesNothingAwayWhereNothingIsAccepted) {
    SubsetOptions const options = certified();
    SizedCoins never(std::vector(6, 0.0), 1, false);
    StagedSubset const found = scan(never, options);
    EXPECT_EQ(found.scanned.accepted, 0U);
    EXPECT_EQ(found.attempts, 0U);
    EXPECT_EQ(found.observed.lower_bound, 0);
    EXPECT_EQ(never.forward_passes(), 6U); // one sample per size
}

} // namespace
} // namespace cax
