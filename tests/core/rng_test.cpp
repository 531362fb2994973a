#include "cax/core/rng.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace cax {
namespace {

TEST(Rng, MatchesThePublishedPhiloxVectors) {
    // Known answers of Philox 4x32-10 (Random123's kat_vectors): counter and key all zero, then all ones.
    Rng zero(0, 0, 0, 0);
    EXPECT_EQ(zero.next_u32(), 0x6627e8d5U);
    EXPECT_EQ(zero.next_u32(), 0xe169c58dU);
    EXPECT_EQ(zero.next_u32(), 0xbc57ac4cU);
    EXPECT_EQ(zero.next_u32(), 0x9b00dbd8U);

    Rng ones(0xffffffffffffffffULL, 0xffffffffU, 0xffffffffU, 0xffffffffU);
    ones.restore({.block = 0xffffffffU, .used = 4});
    EXPECT_EQ(ones.next_u32(), 0x408f276dU);
    EXPECT_EQ(ones.next_u32(), 0x41c83b0eU);
    EXPECT_EQ(ones.next_u32(), 0xa20bc7c6U);
    EXPECT_EQ(ones.next_u32(), 0x6d5451fdU);
}

TEST(Rng, StreamsWithDifferentNamesDiffer) {
    std::set<std::uint64_t> first_words;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        for (std::uint32_t a = 0; a < 4; ++a) {
            for (std::uint32_t b = 0; b < 4; ++b) {
                for (std::uint32_t c = 0; c < 4; ++c) first_words.insert(Rng(seed, a, b, c).next_u64());
            }
        }
    }
    EXPECT_EQ(first_words.size(), 256U);
}

TEST(Rng, ContinuesFromARestoredPosition) {
    Rng rng(7, 1);
    for (int i = 0; i < 13; ++i) (void)rng.normal();
    (void)rng.next_u32();
    Rng other(7, 1);
    other.restore(rng.position());
    for (int i = 0; i < 20; ++i) EXPECT_EQ(other.normal(), rng.normal());
}

TEST(Rng, UniformHasTheRightRangeMeanAndVariance) {
    Rng rng(1);
    double sum = 0;
    double squares = 0;
    int const count = 100000;
    for (int i = 0; i < count; ++i) {
        double const u = rng.uniform();
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        sum += u;
        squares += u * u;
    }
    EXPECT_NEAR(sum / count, 0.5, 5 * std::sqrt(1.0 / 12 / count));
    EXPECT_NEAR(squares / count, 1.0 / 3, 0.005);
}

TEST(Rng, NormalHasTheRightMoments) {
    Rng rng(2);
    int const count = 100000;
    double sum = 0;
    double squares = 0;
    double fourths = 0;
    for (int i = 0; i < count; ++i) {
        double const z = rng.normal();
        ASSERT_TRUE(std::isfinite(z));
        sum += z;
        squares += z * z;
        fourths += z * z * z * z;
    }
    EXPECT_NEAR(sum / count, 0, 5 / std::sqrt(count));
    EXPECT_NEAR(squares / count, 1, 5 * std::sqrt(2.0 / count));
    EXPECT_NEAR(fourths / count, 3, 5 * std::sqrt(96.0 / count));
}

TEST(Rng, BelowIsUniformAlsoWhenTheBoundIsNotAPowerOfTwo) {
    Rng rng(3);
    std::vector<int> counts(7);
    int const count = 70000;
    for (int i = 0; i < count; ++i) ++counts.at(rng.below(7));
    for (int const c : counts) EXPECT_NEAR(c, count / 7, 5 * std::sqrt(count / 7.0));
    EXPECT_EQ(rng.below(1), 0U);
}

} // namespace
} // namespace cax
