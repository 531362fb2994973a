#include "distances.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax::routing {
namespace {

constexpr std::size_t largest_table = 512;

} // namespace

float float_distance(Point a, Point b) {
    float const dx = a.x - b.x;
    float const dy = a.y - b.y;
    return std::sqrt(std::fma(dy, dy, dx * dx));
}

std::vector<float> distance_table(std::span<Point const> points) {
    std::size_t const n = points.size();
    if (n > largest_table) return {};
    std::vector<float> table(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j)
            table[i * n + j] = table[j * n + i] = float_distance(points[i], points[j]);
    }
    return table;
}

void distance_row(std::span<Point const> points, std::span<float const> table, std::size_t from, std::span<float> out) {
    std::size_t const n = points.size();
    assert(from < n && out.size() == n);
    if (!table.empty()) {
        std::ranges::copy(table.subspan(from * n, n), out.begin());
        return;
    }
    for (std::size_t i = 0; i < n; ++i) out[i] = float_distance(points[from], points[i]);
}

Matrix<double> exact_distances(std::span<Point const> points) {
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
