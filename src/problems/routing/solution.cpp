// Solutions as JSON values, and back to the episode that makes them.
#include "problem.hpp"

#include "../errors.hpp"
#include "../fields.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax::routing {
namespace {

/// How many of the next actions a route shares.
std::size_t shared(std::vector<std::size_t> const& route, std::span<std::size_t const> next) {
    auto const end = std::ranges::mismatch(route, next);
    return static_cast<std::size_t>(end.in1 - route.begin());
}

/// Is this the first node of one of the routes that the actions drive?
bool begins_there(std::span<std::size_t const> actions, std::size_t node) {
    for (std::size_t t = 0; t < actions.size(); ++t) {
        if (actions[t] == node) return t == 0 || actions[t - 1] == 0;
    }
    return false;
}

/// Takes a step if it is allowed.
Result<void> take(cax::State& state, std::size_t node, std::vector<std::size_t>& actions) {
    if (state.action_mask()[node] == 0) {
        return invalid("step {}: {} is not allowed", actions.size() + 1, describe_action(state, node));
    }
    state.step(node);
    actions.push_back(node);
    return {};
}

/// A round trip without a depot begins anywhere and goes either way: as the actions do for as long as it can.
void begin_alike(std::vector<std::size_t>& tour, std::span<std::size_t const> like) {
    if (like.empty()) return;
    auto const from = [&](std::vector<std::size_t> round) {
        std::rotate(round.begin(), std::ranges::find(round, like.front()), round.end());
        return round;
    };
    auto const forth = from(tour);
    auto const back = from({tour.rbegin(), tour.rend()});
    tour = shared(back, like) > shared(forth, like) ? back : forth;
}

/// The route that begins as the actions do, if its reverse does and is as good.
void turn_around(cax::Instance const& instance, std::vector<std::vector<std::size_t>>& routes,
                 std::span<std::size_t const> like) {
    double const cost = instance.check(Solution{Routes{routes}}).cost;
    for (auto& route : routes) {
        bool const helps = begins_there(like, route.back()) && !begins_there(like, route.front());
        if (!helps || route.size() < 2) continue;
        std::ranges::reverse(route);
        CheckReport const report = instance.check(Solution{Routes{routes}});
        bool const as_good = report.valid() && std::fabs(report.cost - cost) <= 1e-9 * std::fabs(cost);
        if (!as_good) std::ranges::reverse(route);
    }
}

} // namespace

Json Problem::solution_to_json(cax::Instance const&, Solution const& solution) const {
    auto const* routes = std::get_if<Routes>(&solution);
    assert(routes != nullptr && (!one_tour() || routes->routes.size() <= 1));
    if (!one_tour()) return Json{{"routes", routes->routes}};
    return Json{{"tour", routes->routes.empty() ? Json::array() : Json(routes->routes[0])}};
}

Result<Solution> Problem::solution_from_json(cax::Instance const&, Json const& json) const {
    auto const list = require_array(json, one_tour() ? "tour" : "routes");
    if (!list) return list.error();
    Routes solution;
    if (one_tour()) {
        auto tour = read_indices(**list, "tour");
        if (!tour) return tour.error();
        solution.routes.push_back(*std::move(tour));
        return Solution{std::move(solution)};
    }
    for (Json const& entry : **list) {
        auto route = read_indices(entry, fmt::format("routes[{}]", solution.routes.size()));
        if (!route) return route.error();
        solution.routes.push_back(*std::move(route));
    }
    return Solution{std::move(solution)};
}

Result<std::vector<std::size_t>> Problem::actions(cax::Instance const& instance, Solution const& solution,
                                                  std::span<std::size_t const> like) const {
    auto const* routes = std::get_if<Routes>(&solution);
    assert(routes != nullptr);
    auto left = routes->routes;
    std::erase_if(left, [](auto const& route) { return route.empty(); });
    if (!look().nodes.depot && !left.empty())
        begin_alike(left.front(), like);
    else
        turn_around(instance, left, like);
    StatePtr const state = instance.reset();
    std::vector<std::size_t> actions;
    while (!left.empty()) {
        auto const next = like.subspan(std::min(like.size(), actions.size()));
        auto const best = std::ranges::max_element(left, {}, [&](auto const& route) { return shared(route, next); });
        for (std::size_t const node : *best) {
            if (auto ok = take(*state, node, actions); !ok) return ok.error();
        }
        left.erase(best);
        if (state->done()) continue;
        if (auto ok = take(*state, 0, actions); !ok) return ok.error();
    }
    bool const empty = actions.empty(); // an empty tour stays at the depot, in the orienteering problem twice
    for (int turn = 0; empty && turn < 2 && !state->done(); ++turn) {
        if (auto ok = take(*state, 0, actions); !ok) return ok.error();
    }
    if (!state->done()) return invalid("the episode is not finished after {} steps", actions.size());
    return actions;
}

/// Route after route, in any order, back to the depot after each.
Result<ActionPlan> Problem::action_plan(cax::Instance const&, Solution const& solution, Rng* rng) const {
    auto const* given = std::get_if<Routes>(&solution);
    assert(given != nullptr);
    auto routes = given->routes;
    for (std::size_t i = routes.size(); rng != nullptr && i > 1; --i) std::swap(routes[i - 1], routes[rng->below(i)]);
    ActionPlan plan;
    for (auto const& route : routes) {
        plan.actions.insert(plan.actions.end(), route.begin(), route.end());
        if (look().nodes.depot) plan.actions.push_back(0);
    }
    return plan;
}

} // namespace cax::routing
