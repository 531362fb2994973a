#include "support.hpp"

#include <cmath>
#include <gmock/gmock.h>

namespace cax::cvrptw::test {
namespace {

using testing::HasSubstr;

TEST(CvrptwGenerator, KeepsEveryNumberInItsRange) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Data const data = generated(50, seed)->data();
        EXPECT_EQ(data.capacity, 40);
        EXPECT_TRUE(data.whole_windows);
        EXPECT_EQ(data.time_windows[0], (Window{0, 480}));
        for (std::size_t i = 1; i <= 50; ++i) {
            Point const p = data.locs[i];
            ASSERT_TRUE(p.x >= 0 && p.x <= 150 && p.y >= 0 && p.y <= 150);
            float const units = std::round(data.demand[i - 1] * 40);
            ASSERT_TRUE(units >= 1 && units <= 9);
            ASSERT_EQ(data.demand[i - 1], units / 40);
            ASSERT_EQ(data.durations[i], 0);
            Window const w = data.time_windows[i];
            double const away = std::hypot(p.x - data.locs[0].x, p.y - data.locs[0].y);
            ASSERT_LT(w.open, w.close);
            ASSERT_GE(w.open, std::floor(away - 1e-3));
            ASSERT_GE(w.close, away - 1e-3);
            ASSERT_LE(w.close + away, 480 + 1e-3);
        }
    }
}

TEST(CvrptwGenerator, HasTheMeansOfItsDistributions) {
    double x = 0, demand = 0, middle = 0, width = 0;
    std::size_t count = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Data const data = generated(50, seed)->data();
        for (std::size_t i = 1; i <= 50; ++i, ++count) {
            x += data.locs[i].x;
            demand += data.demand[i - 1] * 40;
            middle += (data.time_windows[i].open + data.time_windows[i].close) / 2;
            double const away = std::hypot(data.locs[i].x - data.locs[0].x, data.locs[i].y - data.locs[0].y);
            width += (data.time_windows[i].close - data.time_windows[i].open) / (480 - 2 * away);
        }
    }
    double const n = static_cast<double>(count);
    EXPECT_NEAR(x / n, 75, 4 * 43.3 / std::sqrt(n));
    EXPECT_NEAR(demand / n, 5, 4 * 2.58 / std::sqrt(n));
    EXPECT_NEAR(middle / n, 239.5, 4 * 115 / std::sqrt(n)); // truncation takes a half
    EXPECT_NEAR(width / n, 1.0 / 3, 0.01);                  // mean distance of two uniform numbers
}

TEST(CvrptwGenerator, TakesTheCapacityOfTheNearestSize) {
    EXPECT_EQ(generated(20, 1)->data().capacity, 30);
    EXPECT_EQ(generated(25, 1)->data().capacity, 30); // as far from 20 as from 30: the smaller
    EXPECT_EQ(generated(26, 1)->data().capacity, 33);
    EXPECT_EQ(generated(1, 1)->data().capacity, 20);
    EXPECT_EQ(generated(100, 1)->data().capacity, 50);
}

TEST(CvrptwGenerator, ObeysItsOptions) {
    Data const data = generated(20, 1, {{"capacity", "100"}, {"max_loc", "10"}, {"max_time", "50"}})->data();
    EXPECT_EQ(data.capacity, 100);
    EXPECT_EQ(data.time_windows[0].close, 50);
    for (Point const& p : data.locs) EXPECT_TRUE(p.x <= 10 && p.y <= 10);
    Data const scaled = generated(20, 1, {{"scale", "true"}})->data();
    EXPECT_EQ(scaled.time_windows[0].close, 1);
    EXPECT_FALSE(scaled.whole_windows);
    EXPECT_EQ(scaled.locs[3].x, generated(20, 1)->data().locs[3].x / 480);
}

TEST(CvrptwGenerator, RefusesSizesAndOptionsItCannotServe) {
    auto const message = [](std::string const& size, Options const& options) {
        Rng rng(1);
        auto const instance = cvrptw_problem().generate(size, options, rng);
        return instance ? "it was accepted" : instance.error().message;
    };
    EXPECT_THAT(message("0", {}), HasSubstr("size: '0' is not a whole number from 1 to 9999"));
    EXPECT_THAT(message("10x5", {}), HasSubstr("size: '10x5'"));
    EXPECT_THAT(message("99999999999999999999", {}), HasSubstr("size: '9999"));
    EXPECT_THAT(message("20", {{"colour", "red"}}), HasSubstr("unknown option 'colour' (known: capacity, max_loc"));
    EXPECT_THAT(message("20", {{"capacity", "8"}}), HasSubstr("option capacity: '8'"));
    EXPECT_THAT(message("20", {{"capacity", "nan"}}), HasSubstr("option capacity: 'nan'"));
    EXPECT_THAT(message("20", {{"max_time", "100"}}), HasSubstr("max_time: 100 is too short for max_loc 150"));
    EXPECT_THAT(message("20", {{"scale", "yes"}}), HasSubstr("option scale: 'yes'"));
}

} // namespace
} // namespace cax::cvrptw::test
