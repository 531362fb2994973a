#pragma once
// What the first actions of an episode have done to the tour.
#include "cax/problems/op/instance.hpp"

namespace cax::op {

struct Prefix {
    std::vector<std::size_t> tour;
    std::vector<std::size_t> left; ///< customers that are not on it
    bool closed = false;           ///< it has returned: nothing can be added
    double length = 0;             ///< from the depot to the last customer
    double prize = 0;
    [[nodiscard]] std::size_t last() const { return tour.empty() ? 0 : tour.back(); }
};

/// Error if an action is no node, a customer comes twice, or one comes after the return.
[[nodiscard]] Result<Prefix> prefix_of(Instance const& instance, std::span<std::size_t const> actions);

[[nodiscard]] double distance(Data const& data, std::size_t a, std::size_t b);

/// Of a checker, relative: only the rounding of the sum itself. A tour of exactly max_length is a solution (though
/// rl4co's mask, which keeps a margin of 1e-6, never finds it).
inline constexpr double length_tolerance = 1e-9;
/// What a prize may fall short of a bound by: prizes are rounded to 24 bits.
[[nodiscard]] double prize_tolerance(double bound);

} // namespace cax::op
