#pragma once
// What checkers of solutions have in common. Kept apart from what states compute, so that a checker shares nothing with
// them.
#include "cax/problems/routing/instance.hpp"

#include <cmath>

namespace cax::routing {

/// In double precision, under the rounding convention of the literature that the solution was computed with.
[[nodiscard]] inline double rule_distance(Point a, Point b, DistanceRule rule) {
    double const dx = double{a.x} - double{b.x};
    double const dy = double{a.y} - double{b.y};
    double const length = std::sqrt(dx * dx + dy * dy);
    switch (rule) {
    case DistanceRule::exact: return length;
    case DistanceRule::truncated_to_tenth: return std::floor(10.0 * length) / 10.0;
    case DistanceRule::nearest_integer: return std::floor(length + 0.5);
    }
    return length;
}

/// Nodes that exist, none twice; `everybody`: and all; one tour, where that is what a solution is. What is wrong with
/// it.
void check_visits(Instance const& instance, Routes const& solution, bool everybody,
                  std::vector<std::string>& violations);

} // namespace cax::routing
