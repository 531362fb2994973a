#pragma once
// How much longer a visit makes the way home.
#include "state.hpp"

#include "cax/problems/completions.hpp"

namespace cax::routing {

/// The detour over the node, against going home at once; the way home itself for the depot.
[[nodiscard]] inline ActionNumbers detour_over(State const& state, std::size_t node) {
    auto const places = state.instance().places();
    Point const here = places[state.current_node()];
    double const home = exact_distance(here, places[0]);
    ActionNumbers numbers;
    numbers.extra =
        node == 0 ? home : exact_distance(here, places[node]) + exact_distance(places[node], places[0]) - home;
    return numbers;
}

} // namespace cax::routing
