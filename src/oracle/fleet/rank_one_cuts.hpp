#pragma once
// Cuts for partitioning programs: a few rows are added up with weights and rounded down. Every solution meets them, and
// fractional ones often do not. For example: of the routes that hold at least two of three rows, one at most is driven.
#include "rest.hpp"

#include <vector>

namespace cax::oracle {

/// The sum over routes of floor(weight of its rows / divisor) is at most `most`. Rows of the set weigh 1, heavy ones 2.
struct RankOneCut {
    CustomerSet set = 0;
    CustomerSet heavy = 0; ///< a part of the set
    int divisor = 2;
    int most = 1;
    [[nodiscard]] int coefficient(CustomerSet route) const {
        CustomerSet const common = route & set;
        if ((common & (common - 1)) == 0) return 0; // one row never weighs enough
        int const weight = std::popcount(common) + std::popcount(route & heavy);
        return weight / divisor;
    }
    auto operator<=>(RankOneCut const&) const = default;
};

/// How much of a route the solution drives.
struct RoutePart {
    CustomerSet set = 0;
    double value = 0;
};

/// How much of each pair of rows is in one route.
[[nodiscard]] Matrix<double> shared_rows(std::span<RoutePart const> parts, std::size_t rows);

/// Cuts that the solution breaks, the worst first: of three rows all, of four and five rows those that a greedy search
/// finds. At most `count`, with no row in many of them.
[[nodiscard]] std::vector<RankOneCut> broken_cuts(std::span<RoutePart const> parts, std::size_t rows, std::size_t count);

} // namespace cax::oracle
