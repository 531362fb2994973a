#pragma once
// What drawings of problems with a depot and customers have in common.
#include "field.hpp"

#include "cax/core/json_fwd.hpp"
#include "cax/problems/point.hpp"
#include "cax/problems/solution.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cax::routing {

/// {node, label, short, x, y, depot, weight, facts}; `weight` in 0..1.
[[nodiscard]] Json drawn_node(std::size_t node, NodeWords const& words, Point place, double weight,
                              std::vector<std::string> const& facts);
/// The nodes in the order of the actions, a new path after every return to the depot.
[[nodiscard]] Json paths_of_actions(std::span<std::size_t const> actions, NodeWords const& words);
/// Routes closed at the depot; without one, at their first node.
[[nodiscard]] Json paths_of_solution(Solution const& solution, NodeWords const& words);

/// The square that holds all places.
struct Extent {
    double left = 0;
    double bottom = 0;
    double side = 0;
};
[[nodiscard]] Extent extent_of(std::span<Point const> places);
/// Is a place outside the square from the origin with this side?
[[nodiscard]] bool lies_outside(std::span<Point const> places, double side);

} // namespace cax::routing
