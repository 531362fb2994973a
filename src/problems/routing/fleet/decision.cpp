// Can K vehicles serve everybody, beginning like this? What needs no search is answered here; the rest is a giant tour
// (see giant_tour.hpp).
//
// With as many vehicles as customers the answer is known: distances are metric, so a customer who cannot be served by a
// vehicle of its own cannot be served at all.
#include "fleet.hpp"
#include "giant_tour.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::routing {
namespace {

DecisionModel no(std::size_t family, std::string sentence) {
    DecisionModel decision{{}, [](auto) { return Solution{}; }};
    decision.model.add(LinearRule{{}, 1}, family, std::move(sentence));
    return decision;
}

/// Finished routes, the one under way, and a vehicle for each customer that is left.
Routes one_vehicle_each(Prefix const& prefix) {
    Routes solution{prefix.finished};
    if (!prefix.under_way.empty()) solution.routes.push_back(prefix.under_way);
    for (std::size_t const customer : prefix.left) solution.routes.push_back({customer});
    return solution;
}

/// Why a route that everybody has to accept breaks a rule by more than the tolerances.
std::optional<DecisionModel> broken_rule(FleetData const& data, std::span<std::size_t const> route,
                                         FleetFamilies const& families, Tolerances const& slack) {
    Vehicle const vehicle = drive(data, route, slack);
    std::string const who = route.size() == 1 ? fmt::format("customer {}, served by a vehicle of its own,", route[0])
                                              : fmt::format("the route that begins with customer {}", route[0]);
    if (vehicle.lateness > 0) {
        return no(families.time_window, fmt::format("{} is late by {:.4g}", who, vehicle.lateness));
    }
    if (vehicle.overload > 0) {
        return no(families.capacity, fmt::format("{} exceeds the capacity by {:.4g} of it", who, vehicle.overload));
    }
    return std::nullopt;
}

std::optional<DecisionModel> too_much_demand(FleetData const& data, Prefix const& prefix, std::size_t vehicles,
                                             FleetFamilies const& families, Tolerances const& slack) {
    double demand = 0;
    for (std::size_t const customer : prefix.left) demand += double{data.demand[customer - 1]};
    for (std::size_t const customer : prefix.under_way) demand += double{data.demand[customer - 1]};
    double const room = static_cast<double>(vehicles) * (1 + slack.load);
    if (demand <= room) return std::nullopt;
    return no(families.capacity,
              fmt::format("the customers left need {:.4g} vehicle loads, and there are {}", demand, vehicles));
}

} // namespace

Result<DecisionModel> fleet_model(Instance const& instance, FleetData const& data, FleetFamilies const& families,
                                  Question const& question, Rounding rounding) {
    if (question.bound && !(std::isfinite(*question.bound) && *question.bound >= 0)) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("fleet is {}: expected a number of at least 0", *question.bound)};
    }
    auto const prefix = prefix_of(instance, question.prefix);
    if (!prefix) return prefix.error();
    Tolerances const slack = tolerances(rounding);
    for (auto const& route : prefix->finished) {
        if (auto broken = broken_rule(data, route, families, slack)) return *std::move(broken);
    }
    if (!prefix->under_way.empty()) {
        if (auto broken = broken_rule(data, prefix->under_way, families, slack)) return *std::move(broken);
    }
    for (std::size_t const& customer : prefix->left) {
        if (auto broken = broken_rule(data, {&customer, 1}, families, slack)) return *std::move(broken);
    }
    std::size_t const used = prefix->finished.size() + (prefix->under_way.empty() ? 0 : 1);
    double const fleet = question.bound ? std::floor(*question.bound) : static_cast<double>(instance.nodes());
    if (fleet >= static_cast<double>(used + prefix->left.size())) {
        return DecisionModel{{}, [routes = one_vehicle_each(*prefix)](auto) { return Solution{routes}; }};
    }
    if (static_cast<double>(used) > fleet) {
        return no(no_family, fmt::format("{} vehicles are on their way already, and {} are allowed", used, fleet));
    }
    std::size_t const vehicles = static_cast<std::size_t>(fleet) - prefix->finished.size();
    if (vehicles == 0) {
        return no(no_family, fmt::format("no vehicle is left for customer {}", prefix->left.front()));
    }
    if (auto broken = too_much_demand(data, *prefix, vehicles, families, slack)) return *std::move(broken);
    if (prefix->left.size() > max_tour_customers) {
        return Error{ErrorCode::unsupported, fmt::format("{} customers: a decision model has at most {}",
                                                         prefix->left.size(), max_tour_customers)};
    }
    return giant_tour(data, *prefix, vehicles, families, rounding);
}

} // namespace cax::routing
