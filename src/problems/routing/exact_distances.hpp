#pragma once
// All distances between the nodes of a routing instance, in double precision from float32 coordinates. For linear
// programs, which are not bound to rl4co's float32 arithmetic.
#include "cax/core/matrix.hpp"
#include "cax/problems/point.hpp"

#include <cmath>
#include <span>

namespace cax::routing {

[[nodiscard]] inline Matrix<double> exact_distances(std::span<Point const> points) {
    Matrix<double> table(points.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = 0; j < points.size(); ++j) {
            double const dx = static_cast<double>(points[i].x) - points[j].x;
            double const dy = static_cast<double>(points[i].y) - points[j].y;
            table(i, j) = std::sqrt(dx * dx + dy * dy);
        }
    }
    return table;
}

} // namespace cax::routing
