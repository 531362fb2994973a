#pragma once
// The one rule by which two costs are equal: the same plan's cost added up in another order differs in the last digits,
// and nobody may be told that one of the two is worse.
#include <algorithm>
#include <cmath>

namespace cax {

/// Costs are equal if they differ by no more than this part of the larger one.
inline constexpr double cost_tolerance = 1e-9;

[[nodiscard]] inline bool same_cost(double a, double b) {
    return a == b || std::fabs(a - b) <= cost_tolerance * std::max(std::fabs(a), std::fabs(b));
}

} // namespace cax
