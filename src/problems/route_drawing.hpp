#pragma once
// What drawings of problems with a depot and customers have in common.
#include "cax/core/json_fwd.hpp"
#include "cax/problems/point.hpp"
#include "cax/problems/solution.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cax {

/// "depot", "customer 17".
[[nodiscard]] std::string route_node_label(std::size_t node);
/// "depot", "17".
[[nodiscard]] std::string route_node_short(std::size_t node);
/// "customer 17's".
[[nodiscard]] std::string route_node_owner(std::size_t node);
/// Entry `index` of a tensor of places: "customer 17 lay at x = 3 instead of 5".
[[nodiscard]] std::string moved_words(std::size_t index, std::string_view from, std::string_view to);
/// {node, label, short, x, y, depot, weight, facts}; `weight` in 0..1.
[[nodiscard]] Json route_node(std::size_t node, Point place, double weight, std::vector<std::string> const& facts);
/// The nodes in the order of the actions, a new path after every return to the depot.
[[nodiscard]] Json paths_of_actions(std::span<std::size_t const> actions);
[[nodiscard]] Json paths_of_solution(Solution const& solution);

/// The square that holds all places.
struct Extent {
    double left = 0;
    double bottom = 0;
    double side = 0;
};
[[nodiscard]] Extent extent_of(std::span<Point const> places);

} // namespace cax
