#include "support.hpp"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>

namespace cax::op::test {
namespace {

using testing::HasSubstr;

TEST(OpGenerator, GivesFarCustomersLargePrizes) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Data const data = generated(20, seed)->data();
        EXPECT_EQ(data.max_length, 2);
        EXPECT_EQ(data.prize[0], 0);
        std::vector<double> away;
        for (Point const& p : data.locs) {
            ASSERT_TRUE(p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1);
            away.push_back(std::hypot(p.x - data.locs[0].x, p.y - data.locs[0].y));
        }
        double const farthest = *std::ranges::max_element(away);
        for (std::size_t i = 1; i <= 20; ++i) {
            double const expected = (1 + std::floor(99 * away[i] / farthest)) / 100;
            ASSERT_NEAR(data.prize[i], expected, 0.0100001) << "the floor may turn on the last bit";
            ASSERT_EQ(data.prize[i], std::round(data.prize[i] * 100) / 100);
        }
        EXPECT_EQ(*std::ranges::max_element(data.prize), 1);
    }
}

TEST(OpGenerator, HasTheMeansOfItsDistributions) {
    double x = 0, prize = 0;
    float lowest = 2, highest = 0;
    std::size_t count = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Data const data = generated(20, seed, {{"prize", "unif"}})->data();
        for (std::size_t i = 1; i <= 20; ++i, ++count) {
            x += data.locs[i].x;
            prize += data.prize[i];
            lowest = std::min(lowest, data.prize[i]);
            highest = std::max(highest, data.prize[i]);
        }
    }
    double const n = static_cast<double>(count);
    EXPECT_NEAR(x / n, 0.5, 4 * 0.289 / std::sqrt(n));
    EXPECT_NEAR(prize / n, 0.505, 4 * 0.289 / std::sqrt(n));
    EXPECT_EQ(lowest, 0.01F);
    EXPECT_EQ(highest, 1.0F);
}

TEST(OpGenerator, ObeysItsOptions) {
    EXPECT_EQ(generated(20, 1, {{"max_length", "3.5"}})->data().max_length, 3.5F);
    EXPECT_EQ(generated(4, 1, {{"prize", "const"}})->data().prize, (std::vector<float>{0, 1, 1, 1, 1}));
}

TEST(OpGenerator, TakesTheLimitOfTheNearestSize) {
    EXPECT_EQ(generated(5, 1)->data().max_length, 2);
    EXPECT_EQ(generated(35, 1)->data().max_length, 2); // as far from 20 as from 50: the smaller
    EXPECT_EQ(generated(36, 1)->data().max_length, 3);
    EXPECT_EQ(generated(400, 1)->data().max_length, 4);
}

TEST(OpGenerator, RefusesSizesAndOptionsItCannotServe) {
    auto const message = [](std::string const& size, Options const& options) {
        Rng rng(1);
        auto const instance = op_problem().generate(size, options, rng);
        return instance ? "it was accepted" : instance.error().message;
    };
    EXPECT_THAT(message("0", {}), HasSubstr("size: '0' is not a whole number from 1 to 9999"));
    EXPECT_THAT(message("-3", {}), HasSubstr("size: '-3'"));
    EXPECT_THAT(message("20", {{"colour", "red"}}), HasSubstr("unknown option 'colour' (known: max_length, prize)"));
    EXPECT_THAT(message("20", {{"max_length", "-1"}}), HasSubstr("option max_length: '-1'"));
    EXPECT_THAT(message("20", {{"max_length", "2 km"}}), HasSubstr("option max_length: '2 km'"));
    EXPECT_THAT(message("20", {{"prize", "big"}}), HasSubstr("option prize: 'big' is none of dist, unif, const"));
}

} // namespace
} // namespace cax::op::test
