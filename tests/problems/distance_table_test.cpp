#include "cax/problems/routing/distance_table.hpp"

#include "cax/core/parallel.hpp"
#include "cax/core/rng.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax::routing {
namespace {

std::vector<Point> some_points(std::size_t count) {
    Rng rng(5);
    std::vector<Point> points(count);
    for (Point& point : points) point = {static_cast<float>(rng.uniform()), static_cast<float>(rng.uniform())};
    return points;
}

TEST(DistanceTable, GivesTheSameNumbersBeforeAndAfterItIsKept) {
    for (std::size_t const count : {1U, 7U, 600U}) { // the last is too large to be kept
        auto const points = some_points(count);
        DistanceTable const table;
        std::vector<float> first(count), again(count);
        for (std::size_t from = 0; from < count; ++from) {
            DistanceTable const fresh;
            fresh.row(points, from, first);
            table.row(points, from, again);
            EXPECT_EQ(first, again) << "row " << from << " of " << count;
            for (std::size_t to = 0; to < count; ++to) {
                EXPECT_NEAR(first[to], std::hypot(points[from].x - points[to].x, points[from].y - points[to].y), 1e-6);
            }
        }
    }
}

TEST(DistanceTable, MayBeAskedByManyThreadsAtOnce) {
    auto const points = some_points(100);
    for (int repeat = 0; repeat < 20; ++repeat) {
        DistanceTable const table;
        parallel_for(400, 4, [&](std::size_t i, std::size_t) {
            std::vector<float> row(points.size()), alone(points.size());
            table.row(points, i % points.size(), row);
            DistanceTable().row(points, i % points.size(), alone);
            EXPECT_EQ(row, alone);
        });
    }
}

} // namespace
} // namespace cax::routing
