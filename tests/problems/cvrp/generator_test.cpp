#include "support.hpp"

#include <cmath>

namespace cax::cvrp::test {
namespace {

TEST(CvrpGenerator, HasTheRangesAndMeansOfItsDistributions) {
    double x = 0, demand = 0;
    std::size_t count = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Data const data = generated(20, seed)->data();
        ASSERT_EQ(data.capacity, 30);
        for (std::size_t i = 1; i <= 20; ++i, ++count) {
            Point const p = data.locs[i];
            ASSERT_TRUE(p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1);
            float const units = std::round(data.demand[i - 1] * 30);
            ASSERT_TRUE(units >= 1 && units <= 9);
            ASSERT_EQ(data.demand[i - 1], units / 30);
            x += p.x;
            demand += units;
        }
    }
    double const n = static_cast<double>(count);
    EXPECT_NEAR(x / n, 0.5, 4 * 0.289 / std::sqrt(n));
    EXPECT_NEAR(demand / n, 5, 4 * 2.582 / std::sqrt(n));
}

TEST(CvrpGenerator, TakesTheCapacityOfTheNearestSizeOrTheOneItIsGiven) {
    EXPECT_EQ(generated(26, 1)->data().capacity, 33);
    EXPECT_EQ(generated(100, 1)->data().capacity, 50);
    EXPECT_EQ(generated(20, 1, {{"capacity", "100"}})->data().capacity, 100);
}

} // namespace
} // namespace cax::cvrp::test
