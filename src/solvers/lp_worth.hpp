#pragma once
// What audits measure by.
#include "cax/model/linear_program.hpp"

#include <algorithm>
#include <cmath>

namespace cax {

[[nodiscard]] inline double outside(double value, Bounds bounds) {
    return std::max({0.0, bounds.lower - value, value - bounds.upper});
}

/// The larger of |lower| and |upper|, leaving out what is infinite.
[[nodiscard]] inline double size_of(Bounds bounds) {
    double size = 0;
    if (std::isfinite(bounds.lower)) size = std::max(size, std::abs(bounds.lower));
    if (std::isfinite(bounds.upper)) size = std::max(size, std::abs(bounds.upper));
    return size;
}

/// A price p (already in the sense of minimisation) on lower <= value <= upper is worth p * lower if p > 0, else
/// p * upper; if that side is open, the price is wrong by all of |p|.
struct Worth {
    double value = 0;
    double wrong = 0;
};
[[nodiscard]] inline Worth worth_of(double price, Bounds bounds) {
    double const bound = price > 0 ? bounds.lower : bounds.upper;
    if (price == 0) return {};
    if (!std::isfinite(bound)) return {0, std::abs(price)};
    return {price * bound, 0};
}

} // namespace cax
