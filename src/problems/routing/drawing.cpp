#include "drawing.hpp"

#include "../fields.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <cassert>

namespace cax::routing {

Json drawn_node(std::size_t node, NodeWords const& words, Point place, double weight,
                std::vector<std::string> const& facts) {
    bool const is_depot = node == 0 && words.depot;
    return {{"node", node},
            {"label", node_name(node, words)},
            {"short", is_depot ? "depot" : std::to_string(node)},
            {"x", readable(place.x)},
            {"y", readable(place.y)},
            {"depot", is_depot},
            {"weight", std::clamp(weight, 0.0, 1.0)},
            {"facts", facts}};
}

Json paths_of_actions(std::span<std::size_t const> actions, NodeWords const& words) {
    Json paths = Json::array();
    if (!words.depot) {
        if (!actions.empty()) paths.push_back(std::vector<std::size_t>(actions.begin(), actions.end()));
        return paths;
    }
    std::vector<std::size_t> path{0};
    for (std::size_t const node : actions) {
        if (node == 0 && path.size() == 1) continue; // stayed at the depot
        path.push_back(node);
        if (node != 0) continue;
        paths.push_back(path);
        path = {0};
    }
    if (path.size() > 1) paths.push_back(path);
    return paths;
}

Json paths_of_solution(Solution const& solution, NodeWords const& words) {
    Json paths = Json::array();
    auto const* const routes = std::get_if<Routes>(&solution);
    assert(routes != nullptr);
    for (auto const& route : routes->routes) {
        if (route.empty() && !words.depot) continue;
        std::size_t const home = words.depot ? 0 : route.front();
        std::vector<std::size_t> path(words.depot ? 1 : 0, home);
        path.insert(path.end(), route.begin(), route.end());
        path.push_back(home);
        paths.push_back(path);
    }
    return paths;
}

Extent extent_of(std::span<Point const> places) {
    assert(!places.empty());
    auto const [left, right] = std::ranges::minmax(places, {}, &Point::x);
    auto const [bottom, top] = std::ranges::minmax(places, {}, &Point::y);
    return {.left = left.x,
            .bottom = bottom.y,
            .side = std::max(double{right.x} - double{left.x}, double{top.y} - double{bottom.y})};
}

bool lies_outside(std::span<Point const> places, double side) {
    return std::ranges::any_of(places, [&](Point p) { return p.x < 0 || p.y < 0 || p.x > side || p.y > side; });
}

} // namespace cax::routing
