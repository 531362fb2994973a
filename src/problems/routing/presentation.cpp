// Routing problems as they are shown to people.
#include "../fields.hpp"
#include "problem.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace cax::routing {
namespace {

/// `weight` in 0..1.
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

/// The nodes in the order of the actions, a new path after every return to the depot, which vehicles that stay out do
/// not drive.
Json paths_of_actions(std::span<std::size_t const> actions, Problem const& problem) {
    Json paths = Json::array();
    if (!problem.look().nodes.depot) {
        if (!actions.empty()) paths.push_back(std::vector<std::size_t>(actions.begin(), actions.end()));
        return paths;
    }
    std::vector<std::size_t> path{0};
    for (std::size_t const node : actions) {
        if (node == 0 && path.size() == 1) continue; // stayed at the depot
        if (node != 0 || problem.comes_home()) path.push_back(node);
        if (node != 0) continue;
        paths.push_back(path);
        path = {0};
    }
    if (path.size() > 1) paths.push_back(path);
    return paths;
}

/// Routes from the depot, and back if vehicles come home; without a depot, closed at their first node.
Json paths_of_solution(Solution const& solution, Problem const& problem) {
    bool const depot = problem.look().nodes.depot;
    Json paths = Json::array();
    auto const* const routes = std::get_if<Routes>(&solution);
    assert(routes != nullptr);
    for (auto const& route : routes->routes) {
        if (route.empty() && !depot) continue;
        std::size_t const home = depot ? 0 : route.front();
        std::vector<std::size_t> path(depot ? 1 : 0, home);
        path.insert(path.end(), route.begin(), route.end());
        if (problem.comes_home()) path.push_back(home);
        paths.push_back(path);
    }
    return paths;
}

} // namespace

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

std::string Problem::describe_action(cax::State const& any, std::size_t action) const {
    auto const& state = static_cast<State const&>(any);
    if (!state.home()) return "begin at " + name_of(action);
    if (action != 0 || !look().nodes.depot) return "visit " + name_of(action);
    if (state.current_node() == 0) return "stay at the depot";
    return comes_home() ? "return to the depot" : "end the route";
}

Json Problem::scene(cax::Instance const& any) const {
    auto const& instance = static_cast<Instance const&>(any);
    Field const& weight = fields()[routes_.weight];
    bool const weighed = weight.width == 1; // places say nothing about the size of a node
    Numbers const& numbers = instance.numbers();
    float const largest = *std::ranges::max_element(numbers.columns[routes_.weight]);
    Json nodes = Json::array();
    for (std::size_t i = 0; i < instance.nodes(); ++i) {
        bool const has_one = weighed && i >= first_node(weight);
        float const amount = has_one ? entry_of(weight, numbers.columns[routes_.weight], i)[0] : 0;
        Json node =
            drawn_node(i, look().nodes, instance.places()[i], largest > 0 ? amount / largest : 0, facts(instance, i));
        for (std::size_t f = 1; f < fields().size(); ++f) {
            if (fields()[f].width != 2) continue;
            auto const pair = entry_of(fields()[f], numbers.columns[f], i);
            node[fields()[f].key] = {readable(pair[0]), readable(pair[1])};
        }
        nodes.push_back(std::move(node));
    }
    return {{"kind", "routes"}, {"weight_word", weighed ? weight.label[0] : ""}, {"nodes", std::move(nodes)}};
}

Json Problem::moment(cax::State const& any, std::span<std::size_t const> actions) const {
    auto const& state = static_cast<State const&>(any);
    Json json{{"at", state.current_node()}};
    if (auto const clock = state.clock()) json["clock"] = readable(*clock);
    json["done"] = std::vector<std::size_t>(actions.begin(), actions.end());
    json["paths"] = paths_of_actions(actions, *this);
    return json;
}

Json Problem::mark(cax::State const& any, std::size_t action) const {
    auto const& state = static_cast<State const&>(any);
    Json json{{"node", action}};
    bool const driven = action != 0 || !look().nodes.depot || comes_home();
    if (state.home() && driven) json["from"] = state.current_node(); // else it has not begun, or ends here
    if (auto const clock = state.clock()) json["arrival"] = double{*clock} + double{state.distances()[action]};
    return json;
}

Json Problem::drawing(cax::Instance const&, Solution const& solution) const {
    return {{"paths", paths_of_solution(solution, *this)}};
}

std::optional<Rescaling> Problem::rescaling(Instance const& instance) const {
    if (!lies_outside(instance.places(), 1)) return std::nullopt;
    double const side = extent_of(instance.places()).side;
    double const scale = side > 1 ? 1 / side : 1;
    return Rescaling{
        .scale = scale,
        .move = true,
        .note = fmt::format("The instance has places up to {:.6g} apart; policies are trained on the unit "
                            "square. The policy is shown places moved there and distances multiplied by {:.4g}; "
                            "all numbers below are those of the file.",
                            side, scale)};
}

Result<InDomain> Problem::into_domain(InstancePtr const& any) const {
    auto const& instance = static_cast<Instance const&>(*any);
    auto const wanted = rescaling(instance);
    if (!wanted) return InDomain{.instance = any, .note = {}};
    Numbers numbers = instance.numbers();
    numbers.shown = {.length = wanted->scale, .worth = wanted->worth, .corner = {}};
    if (wanted->move) {
        Extent const extent = extent_of(instance.places());
        numbers.shown.corner = {static_cast<float>(extent.left), static_cast<float>(extent.bottom)};
    }
    auto scaled = make(std::move(numbers), Origin::changed);
    if (!scaled) return scaled.error();
    return InDomain{.instance = *std::move(scaled), .scale = wanted->scale, .note = wanted->note};
}

} // namespace cax::routing
