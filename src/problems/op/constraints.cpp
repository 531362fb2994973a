#include "constraints.hpp"

#include "../distances.hpp"
#include "families.hpp"
#include "features.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace cax::op {
namespace {

/// What the published code lets pass.
constexpr double lowest_known_prize = -0.01;
constexpr double round_trip_tolerance = 0.001;

double shortest_round_trip(std::vector<double> const& locs) {
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; 2 * i < locs.size(); ++i) {
        shortest = std::min(shortest, 2 * std::hypot(locs[2 * i] - locs[0], locs[2 * i + 1] - locs[1]));
    }
    return shortest;
}

} // namespace

std::vector<Slack> slacks_of(State const& state, std::size_t action) {
    Data const& data = state.instance().data();
    assert(action < data.locs.size());
    double const arrival = double{state.tour_length()} + double{state.distances()[action]};
    double const length = arrival + double{float_distance(data.locs[action], data.locs[0])};
    double const limit = data.max_length;
    return {{budget, "length of the tour with the way home", length, limit, limit - length}};
}

std::string describe(State const& state, std::size_t action) {
    if (action != 0) return fmt::format("visit customer {}", action);
    return state.current_node() == 0 ? "stay at the depot" : "return to the depot";
}

std::optional<std::string> envelope_violation(Features const& features) {
    auto const& locs = features[feature_locs].values;
    auto const& prizes = features[feature_prize].values;
    double const limit = features[feature_max_length].values[0];
    // Comparisons are written so that a NaN fails them.
    for (std::size_t i = 0; i < locs.size(); ++i) {
        if (!std::isfinite(locs[i])) return fmt::format("node {}: coordinate is {}", i / 2, locs[i]);
    }
    for (std::size_t i = 0; i < prizes.size(); ++i) {
        if (!(prizes[i] >= lowest_known_prize)) return fmt::format("node {}: prize is negative ({})", i, prizes[i]);
    }
    if (!(limit > 0)) return fmt::format("max_length is {}: it must be positive", limit);
    double const round_trip = shortest_round_trip(locs);
    if (!(limit + round_trip_tolerance >= round_trip)) {
        return fmt::format("max_length ({}) is shorter than the shortest round trip ({})", limit, round_trip);
    }
    return std::nullopt;
}

} // namespace cax::op
