#pragma once
// What vehicles are charged for driving. A problem says it once (RouteLook::leg), and states, relaxations, models,
// searches and drawings all ask for it, so that "vehicles do not come home" is one word. Checkers do not ask: they have
// the definition.
#include <cstddef>

namespace cax::routing {

/// What driving from one node to another costs and takes, given how far apart they lie. It may ask of the nodes only
/// whether they are the depot (0), because parts of an instance number customers anew; and driving on over another
/// customer must never be shorter.
using LegRule = double (*)(double length, std::size_t from, std::size_t to);

/// Every way counts.
[[nodiscard]] constexpr double closed_routes(double length, std::size_t /*from*/, std::size_t /*to*/) { return length; }
/// Vehicles stay where they served last: going to the depot only says that the next one leaves.
[[nodiscard]] constexpr double open_routes(double length, std::size_t /*from*/, std::size_t to) {
    return to == 0 ? 0 : length;
}
/// Where something else than the length is minimised.
[[nodiscard]] constexpr double free_ways(double /*length*/, std::size_t /*from*/, std::size_t /*to*/) { return 0; }

} // namespace cax::routing
