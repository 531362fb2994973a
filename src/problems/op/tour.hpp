#pragma once
// What can be asked of an orienteering tour that has begun: the best one, and whether one collects so much.
#include "../routing/state.hpp"
#include "../routing/tour/tour.hpp"
#include "../search_clock.hpp"

#include "cax/problems/op/instance.hpp"

namespace cax::op {

/// What the first actions of an episode have done to the tour.
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

[[nodiscard]] inline double distance(Data const& data, std::size_t a, std::size_t b) {
    return routing::exact_distance(data.locs[a], data.locs[b]);
}

/// Of a checker, relative: only the rounding of the sum itself. A tour of exactly max_length is a solution (though
/// rl4co's mask, which keeps a margin of 1e-6, never finds it).
inline constexpr double length_tolerance = 1e-9;

/// The tour of greatest prize, the shortest among equals, through some of these customers. Nothing if stop() became
/// true before the end. Precondition: at most max_exact_customers.
inline constexpr std::size_t max_exact_customers = 20;
[[nodiscard]] std::optional<std::vector<std::size_t>>
best_tour(Data const& data, std::vector<std::size_t> const& customers, std::function<bool()> const& stop);

/// A good one where there are too many of them, until the budget is used up or the prize reaches the bound.
struct FoundTour {
    std::vector<std::size_t> tour;
    bool optimal = false;
    std::uint64_t iterations = 0;
};
[[nodiscard]] FoundTour good_tour(Data const& data, std::vector<std::size_t> const& customers,
                                  SearchOptions const& options, SearchClock& clock);

/// Can the task's tour collect its prize within this length? By an exact method of our own. Precondition: at most
/// routing::max_exact_visits are left.
[[nodiscard]] routing::TourAnswer decide_tour(routing::TourTask const& task, double length, std::uint64_t work,
                                              std::function<bool()> const& stop);

} // namespace cax::op
