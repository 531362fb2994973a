#pragma once
// From real numbers to the whole ones that constraint models count in. Scales are powers of two, so that scaling a
// double is exact and only the final rounding, in the direction that was asked for, changes anything.
#include "cax/problems/question.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cax {

class WholeNumbers {
public:
    /// The finest scale at which `largest` stays below 2^bits.
    WholeNumbers(double largest, int bits, Rounding rounding)
        : scale_(largest > 0 ? std::exp2(bits - 1 - std::ilogb(largest)) : 1), rounding_(rounding) {}

    /// Something that a solution has to spend: rounded up if strict.
    [[nodiscard]] std::int64_t spent(double amount) const {
        double const scaled = amount * scale_;
        return whole(rounding_ == Rounding::strict ? std::ceil(scaled) : std::floor(scaled));
    }
    /// Something that it may spend: rounded down, since sums of rounded-down numbers never exceed a rounded-down
    /// limit that their true sum keeps. `tolerance` is what a checker overlooks; it counts only if loose.
    [[nodiscard]] std::int64_t limit(double amount, double tolerance) const {
        double const scaled = (rounding_ == Rounding::strict ? amount : amount + tolerance) * scale_;
        return whole(std::floor(scaled));
    }

private:
    /// Numbers far beyond what any model holds stay far beyond it, and can still be added.
    [[nodiscard]] static std::int64_t whole(double value) {
        constexpr double far = 1LL << 40;
        return static_cast<std::int64_t>(std::clamp(value, -far, far));
    }

    double scale_;
    Rounding rounding_;
};

} // namespace cax
