#include "distances.hpp"

#include "cax/problems/routing/distance_table.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax::routing {
namespace {

constexpr std::size_t largest_table = 512; // nodes: a megabyte
constexpr unsigned rows_before_table = 8;

} // namespace

float float_distance(Point a, Point b) {
    float const dx = a.x - b.x;
    float const dy = a.y - b.y;
    return std::sqrt(std::fma(dy, dy, dx * dx));
}

void DistanceTable::row(std::span<Point const> points, std::size_t from, std::span<float> out) const {
    std::size_t const n = points.size();
    assert(from < n && out.size() == n);
    bool const worth_it = n <= largest_table && (kept_ || ++asked_ > rows_before_table);
    if (!worth_it) {
        for (std::size_t i = 0; i < n; ++i) out[i] = float_distance(points[from], points[i]);
        return;
    }
    std::call_once(once_, [&] {
        values_.resize(n * n);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = i + 1; j < n; ++j)
                values_[i * n + j] = values_[j * n + i] = float_distance(points[i], points[j]);
        }
        kept_ = true;
    });
    std::ranges::copy(std::span(values_).subspan(from * n, n), out.begin());
}

double arc_length(Point a, Point b) {
    double const dx = static_cast<double>(a.x) - b.x;
    double const dy = static_cast<double>(a.y) - b.y;
    return std::sqrt(dx * dx + dy * dy);
}

Matrix<double> exact_distances(std::span<Point const> points) {
    Matrix<double> table(points.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = 0; j < points.size(); ++j) {
            table(i, j) = arc_length(points[i], points[j]);
        }
    }
    return table;
}

} // namespace cax::routing
