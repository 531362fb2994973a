#include "cax/problems/op/instance.hpp"

#include "../fields.hpp"
#include "check.hpp"
#include "problem.hpp"
#include "state.hpp"

#include "cax/core/json.hpp"

#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax::op {
namespace {

/// Beyond this, coordinates and prizes are a mistake; below it, squared distances stay far from float32's range.
constexpr float largest_value = 1e9F;
/// rl4co's margin on the limit.
constexpr float limit_margin = 1e-6F;

std::string node_name(std::size_t node) { return node == 0 ? "depot" : fmt::format("customer {}", node); }

Error invalid(std::string message) { return {ErrorCode::invalid_value, std::move(message)}; }

/// Error unless the value is finite and of sensible size.
Result<void> check_value(std::string_view field, float value) {
    if (std::isfinite(value) && std::fabs(value) <= largest_value) return {};
    return invalid(fmt::format("{} is {}: expected a number of at most {} in size", field, value, largest_value));
}

Result<void> check_node(Data const& data, std::size_t node, float lowest_prize) {
    if (auto ok = check_value("x", data.locs[node].x); !ok) return ok;
    if (auto ok = check_value("y", data.locs[node].y); !ok) return ok;
    if (auto ok = check_value("prize", data.prize[node]); !ok) return ok;
    if (data.prize[node] < lowest_prize) return invalid(fmt::format("prize is negative ({})", data.prize[node]));
    if (node == 0 && data.prize[0] != 0) return invalid(fmt::format("prize is {}: expected 0", data.prize[0]));
    return {};
}

} // namespace

Instance::Instance(Data data) : data_(std::move(data)), arrival_limits_(data_.locs.size()) {
    distances_from(0, arrival_limits_);
    for (float& limit : arrival_limits_) limit = (data_.max_length - limit) - limit_margin;
}

Result<std::shared_ptr<Instance const>> Instance::make(Data data) { return make(std::move(data), 0); }

Result<std::shared_ptr<Instance const>> Instance::make(Data data, float lowest_prize) {
    std::size_t const nodes = data.locs.size();
    if (nodes < 2) return invalid("there are no customers");
    if (nodes > max_nodes) return invalid(fmt::format("{} nodes: at most {} are supported", nodes, max_nodes));
    if (data.prize.size() != nodes) {
        return invalid(fmt::format("prize has {} entries, expected {}", data.prize.size(), nodes));
    }
    if (!(data.max_length > 0 && data.max_length <= largest_value)) {
        return invalid(
            fmt::format("max_length is {}: expected a positive number up to {}", data.max_length, largest_value));
    }
    for (std::size_t node = 0; node < nodes; ++node) {
        if (auto ok = check_node(data, node, lowest_prize); !ok) return ok.error().within(node_name(node));
    }
    return std::shared_ptr<Instance const>(new Instance(std::move(data)));
}

void Instance::distances_from(std::size_t node, std::span<float> out) const { table_.row(data_.locs, node, out); }

Problem const& Instance::problem() const { return op::problem(); }

std::string Instance::size() const { return fmt::format("{}", customers()); }

std::string Instance::description() const {
    return fmt::format("{} customers, tour of length at most {}", customers(), data_.max_length);
}

StatePtr Instance::reset(StateOptions const&) const {
    return std::make_unique<State>(std::static_pointer_cast<Instance const>(shared_from_this()));
}

std::vector<std::size_t> Instance::start_actions() const {
    StatePtr const state = reset();
    auto const mask = state->action_mask();
    std::vector<std::size_t> actions;
    for (std::size_t customer = 1; customer < nodes(); ++customer) {
        if (mask[customer] == 0) return {}; // rl4co then draws at random from the allowed ones
        actions.push_back(customer);
    }
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
        if (node != 0) solution.routes[0].push_back(node);
    }
    if (!state->done()) return invalid(fmt::format("the episode is not finished after {} steps", actions.size()));
    return Solution{std::move(solution)};
}

CheckReport Instance::check(Solution const& solution, DistanceRule rule) const {
    if (auto const* routes = std::get_if<Routes>(&solution)) return check_tour(data_, *routes, rule);
    return {.violations = {"the solution is a schedule, not a tour"}};
}

Json Instance::solution_to_json(Solution const& solution) const {
    auto const* routes = std::get_if<Routes>(&solution);
    assert(routes != nullptr && routes->routes.size() <= 1);
    Json json;
    json["tour"] = routes->routes.empty() ? Json::array() : Json(routes->routes[0]);
    return json;
}

Result<Solution> Instance::solution_from_json(Json const& json) const {
    auto const list = require_array(json, "tour");
    if (!list) return list.error();
    auto tour = read_indices(**list, "tour");
    if (!tour) return tour.error();
    return Solution{Routes{{*std::move(tour)}}};
}

} // namespace cax::op
