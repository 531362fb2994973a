#include "cax/problems/cvrptw/instance.hpp"

#include "../fields.hpp"
#include "check.hpp"
#include "problem.hpp"
#include "state.hpp"

#include "cax/core/json.hpp"

#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax::cvrptw {
namespace {

/// Beyond this, coordinates and times are a mistake; below it, squared distances stay far from float32's range.
constexpr float largest_value = 1e9F;
/// Whole numbers up to here are exact in float32.
constexpr float largest_integer = 16'777'216.0F;

std::string node_name(std::size_t node) { return node == 0 ? "depot" : fmt::format("customer {}", node); }

Error invalid(std::string message) { return {ErrorCode::invalid_value, std::move(message)}; }

/// Error unless the value is finite and of sensible size.
Result<void> check_value(std::string_view field, float value) {
    if (std::isfinite(value) && std::fabs(value) <= largest_value) return {};
    return invalid(fmt::format("{} is {}: expected a number of at most {} in size", field, value, largest_value));
}

Result<void> check_window(Window const& window, bool integral) {
    if (auto ok = check_value("window opening", window.open); !ok) return ok;
    if (auto ok = check_value("window closing", window.close); !ok) return ok;
    if (window.close < window.open) {
        return invalid(fmt::format("window closes ({}) before it opens ({})", window.close, window.open));
    }
    for (float const time : {window.open, window.close}) {
        if (integral && (time != std::trunc(time) || std::fabs(time) > largest_integer)) {
            return invalid(fmt::format("window has {}: expected whole numbers up to {}", time, largest_integer));
        }
    }
    return {};
}

Result<void> check_node(Data const& data, std::size_t node) {
    if (auto ok = check_value("x", data.locs[node].x); !ok) return ok;
    if (auto ok = check_value("y", data.locs[node].y); !ok) return ok;
    if (auto ok = check_window(data.time_windows[node], data.integral_windows); !ok) return ok;
    if (auto ok = check_value("service time", data.durations[node]); !ok) return ok;
    if (data.durations[node] < 0) return invalid(fmt::format("service time is negative ({})", data.durations[node]));
    if (node == 0) return {};
    float const demand = data.demand[node - 1];
    if (!std::isfinite(demand) || demand < 0) {
        return invalid(fmt::format("demand is {}: expected a fraction of the capacity", demand));
    }
    if (demand > 1) {
        return invalid(fmt::format("demand is {} times the capacity: it fits no vehicle (demand must be divided by the "
                                   "capacity {})",
                                   demand, data.capacity));
    }
    return {};
}

Result<void> check_counts(Data const& data) {
    std::size_t const nodes = data.locs.size();
    if (nodes < 2) return invalid("there are no customers");
    if (nodes > max_nodes) return invalid(fmt::format("{} nodes: at most {} are supported", nodes, max_nodes));
    auto const count = [](std::string_view field, std::size_t found, std::size_t expected) -> Result<void> {
        if (found == expected) return {};
        return invalid(fmt::format("{} has {} entries, expected {}", field, found, expected));
    };
    if (auto ok = count("demand", data.demand.size(), nodes - 1); !ok) return ok;
    if (auto ok = count("time_windows", data.time_windows.size(), nodes); !ok) return ok;
    return count("durations", data.durations.size(), nodes);
}

} // namespace

Instance::Instance(Data data) : data_(std::move(data)) {}

Result<std::shared_ptr<Instance const>> Instance::make(Data data) {
    if (auto ok = check_counts(data); !ok) return ok.error();
    if (!(data.capacity > 0 && data.capacity <= largest_value)) {
        return invalid(
            fmt::format("capacity is {}: expected a positive number up to {}", data.capacity, largest_value));
    }
    for (std::size_t node = 0; node < data.locs.size(); ++node) {
        if (auto ok = check_node(data, node); !ok) return ok.error().within(node_name(node));
    }
    return std::shared_ptr<Instance const>(new Instance(std::move(data)));
}

void Instance::distances_from(std::size_t node, std::span<float> out) const { table_.row(data_.locs, node, out); }

Problem const& Instance::problem() const { return cvrptw::problem(); }

std::string Instance::size() const { return fmt::format("{}", customers()); }

std::string Instance::description() const {
    return fmt::format("{} customers, vehicle capacity {}, depot open until {}", customers(), data_.capacity,
                       data_.time_windows[0].close);
}

StatePtr Instance::reset(StateOptions const&) const {
    return std::make_unique<State>(std::static_pointer_cast<Instance const>(shared_from_this()));
}

std::vector<std::size_t> Instance::start_actions() const {
    std::vector<std::size_t> actions(customers());
    for (std::size_t i = 0; i < actions.size(); ++i) actions[i] = i + 1;
    return actions;
}

Result<Solution> Instance::solution_of(std::span<std::size_t const> actions) const {
    StatePtr const state = reset();
    Routes solution{{{}}};
    for (std::size_t t = 0; t < actions.size(); ++t) {
        std::size_t const node = actions[t];
        if (node >= nodes()) return invalid(fmt::format("step {}: there is no node {}", t, node));
        if (state->done() && node != 0) {
            return invalid(fmt::format("step {}: visits customer {} after the end", t, node));
        }
        state->step(node);
        if (node != 0) {
            solution.routes.back().push_back(node);
        } else if (!solution.routes.back().empty()) {
            solution.routes.emplace_back();
        }
    }
    if (!state->done()) return invalid(fmt::format("the episode is not finished after {} steps", actions.size()));
    if (solution.routes.back().empty()) solution.routes.pop_back();
    return Solution{std::move(solution)};
}

CheckReport Instance::check(Solution const& solution, DistanceRule rule) const {
    if (auto const* routes = std::get_if<Routes>(&solution)) return check_routes(data_, *routes, rule);
    return {.violations = {"the solution is a schedule, not a list of routes"}};
}

Json Instance::solution_to_json(Solution const& solution) const {
    auto const* routes = std::get_if<Routes>(&solution);
    assert(routes != nullptr);
    return Json{{"routes", routes->routes}};
}

Result<Solution> Instance::solution_from_json(Json const& json) const {
    auto const list = require_array(json, "routes");
    if (!list) return list.error();
    Routes solution;
    for (Json const& entry : **list) {
        auto route = read_indices(entry, fmt::format("routes[{}]", solution.routes.size()));
        if (!route) return route.error();
        solution.routes.push_back(*std::move(route));
    }
    return Solution{std::move(solution)};
}

} // namespace cax::cvrptw
