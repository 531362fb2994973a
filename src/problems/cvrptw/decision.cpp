// Can K vehicles serve everybody, beginning like this? What needs no search is answered here; the rest is a giant tour
// (see giant_tour.hpp).
//
// With as many vehicles as customers the answer is known: distances are metric, so a customer who cannot be served by a
// vehicle of its own cannot be served at all.
#include "beginning.hpp"
#include "check.hpp"
#include "families.hpp"
#include "giant_tour.hpp"
#include "tour_numbers.hpp"

#include "cax/problems/decision_model.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::cvrptw {
namespace {

DecisionModel no(std::size_t family, std::string sentence) {
    DecisionModel decision{{}, [](auto) { return Solution{}; }};
    decision.model.add(LinearRule{{}, 1}, family, std::move(sentence));
    return decision;
}

/// Finished routes, the one under way, and a vehicle for each customer that is left.
Routes one_vehicle_each(Beginning const& begun) {
    Routes solution{begun.finished};
    if (!begun.under_way.empty()) solution.routes.push_back(begun.under_way);
    for (std::size_t const customer : begun.left) solution.routes.push_back({customer});
    return solution;
}

/// Why a route that everybody has to accept breaks a rule by more than the tolerances.
std::optional<DecisionModel> broken_rule(Data const& data, std::span<std::size_t const> route,
                                         Tolerances const& slack) {
    Vehicle const vehicle = drive(data, route);
    std::string const who = route.size() == 1 ? fmt::format("customer {}, served by a vehicle of its own,", route[0])
                                              : fmt::format("the route that begins with customer {}", route[0]);
    if (vehicle.lateness > slack.time) {
        return no(time_window, fmt::format("{} is late by {:.4g}", who, vehicle.lateness));
    }
    if (vehicle.overload > slack.load) {
        return no(capacity, fmt::format("{} exceeds the capacity by {:.4g} of it", who, vehicle.overload));
    }
    return std::nullopt;
}

std::optional<DecisionModel> too_much_demand(Data const& data, Beginning const& begun, std::size_t vehicles,
                                             Tolerances const& slack) {
    double demand = 0;
    for (std::size_t const customer : begun.left) demand += double{data.demand[customer - 1]};
    for (std::size_t const customer : begun.under_way) demand += double{data.demand[customer - 1]};
    double const room = static_cast<double>(vehicles) * (1 + slack.load);
    if (demand <= room) return std::nullopt;
    return no(capacity,
              fmt::format("the customers left need {:.4g} vehicle loads, and there are {}", demand, vehicles));
}

} // namespace

Result<DecisionModel> Instance::decision_model(Question const& question, Rounding rounding) const {
    if (question.bound && !(std::isfinite(*question.bound) && *question.bound >= 0)) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("fleet is {}: expected a number of at least 0", *question.bound)};
    }
    auto const begun = beginning_of(*this, question.prefix);
    if (!begun) return begun.error();
    Tolerances const slack = tolerances(data_, rounding);
    for (auto const& route : begun->finished) {
        if (auto broken = broken_rule(data_, route, slack)) return *std::move(broken);
    }
    if (!begun->under_way.empty()) {
        if (auto broken = broken_rule(data_, begun->under_way, slack)) return *std::move(broken);
    }
    for (std::size_t const& customer : begun->left) {
        if (auto broken = broken_rule(data_, {&customer, 1}, slack)) return *std::move(broken);
    }
    std::size_t const used = begun->finished.size() + (begun->under_way.empty() ? 0 : 1);
    double const fleet = question.bound ? std::floor(*question.bound) : static_cast<double>(nodes());
    if (fleet >= static_cast<double>(used + begun->left.size())) {
        return DecisionModel{{}, [routes = one_vehicle_each(*begun)](auto) { return Solution{routes}; }};
    }
    if (static_cast<double>(used) > fleet) {
        return no(no_family, fmt::format("{} vehicles are on their way already, and {} are allowed", used, fleet));
    }
    std::size_t const vehicles = static_cast<std::size_t>(fleet) - begun->finished.size();
    if (vehicles == 0) {
        return no(no_family, fmt::format("no vehicle is left for customer {}", begun->left.front()));
    }
    if (auto broken = too_much_demand(data_, *begun, vehicles, slack)) return *std::move(broken);
    if (begun->left.size() > max_tour_customers) {
        return Error{ErrorCode::unsupported, fmt::format("{} customers: a decision model has at most {}",
                                                         begun->left.size(), max_tour_customers)};
    }
    return giant_tour(data_, *begun, vehicles, rounding);
}

} // namespace cax::cvrptw
