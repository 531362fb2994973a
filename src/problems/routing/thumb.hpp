#pragma once
// Scores of customers that need no more than places: lower is better.
#include "state.hpp"

namespace cax::routing {

[[nodiscard]] double nearest(State const& state, std::size_t customer);
/// Clarke and Wright's saving of driving on instead of going home first, negated.
[[nodiscard]] double largest_saving(State const& state, std::size_t customer);
/// On the way home.
[[nodiscard]] double smallest_detour(State const& state, std::size_t customer);
[[nodiscard]] double farthest_from_depot(State const& state, std::size_t customer);

} // namespace cax::routing
