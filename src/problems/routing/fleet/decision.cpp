// Can K vehicles serve everybody, beginning like this? What needs no search is answered here; the rest is a giant tour
// (see giant_tour.hpp).
//
// With as many vehicles as customers the answer is known: distances are metric, so a customer who cannot be served by a
// vehicle of its own cannot be served at all.
#include "fleet.hpp"
#include "giant_tour.hpp"

#include "../../errors.hpp"
#include "../../settled.hpp"
#include "../state.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace cax::routing {
namespace {

/// Finished routes, the one under way, and a vehicle for each customer that is left.
Routes one_vehicle_each(Prefix const& prefix) {
    Routes solution = prefix.driven();
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
        return refusal(families.time_window, fmt::format("{} is late by {:.4g}", who, vehicle.lateness));
    }
    if (vehicle.overload > 0) {
        return refusal(families.capacity,
                       fmt::format("{} exceeds the capacity by {:.4g} of it", who, vehicle.overload));
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
    return refusal(families.capacity,
                   fmt::format("the customers left need {:.4g} vehicle loads, and there are {}", demand, vehicles));
}

double length_of(FleetData const& data, Routes const& solution) {
    double length = 0;
    for (auto const& route : solution.routes) {
        std::size_t here = 0;
        for (std::size_t const customer : route) {
            length += data.leg(here, customer);
            here = customer;
        }
        length += data.leg(here, 0);
    }
    return length;
}

/// What has been driven, without the way home of the vehicle under way.
double driven(FleetData const& data, Prefix const& prefix) {
    return length_of(data, prefix.driven()) - data.leg(prefix.here(), 0);
}

/// The two shortest legs of some, and where the shortest one leads.
struct TwoLegs {
    double first = std::numeric_limits<double>::infinity();
    double second = first;
    std::size_t nearest = 0; ///< by place in a list
    void offer(double leg, std::size_t place) {
        if (leg < first) nearest = place;
        second = std::min(second, std::max(first, leg));
        first = std::min(first, leg);
    }
};

/// Coming from one place and leaving for another.
double least_pass(TwoLegs const& in, TwoLegs const& out) {
    if (in.nearest != out.nearest) return in.first + out.first;
    return std::min(in.first + out.second, in.second + out.first);
}

/// Nothing is shorter: the routes so far, each customer that is left by its nearest neighbours.
double least_length(FleetData const& data, Prefix const& prefix) {
    std::vector<std::size_t> nodes = prefix.left;
    std::size_t const here = prefix.here();
    nodes.insert(nodes.end(), {0, 0}); // out and back
    if (here != 0) nodes.push_back(here);
    double legs = 0;
    for (std::size_t const customer : prefix.left) { // two legs each, half of each leg is its own
        TwoLegs in, out;
        for (std::size_t place = 0; place < nodes.size(); ++place) {
            if (nodes[place] == customer) continue;
            in.offer(data.leg(nodes[place], customer), place);
            out.offer(data.leg(customer, nodes[place]), place);
        }
        legs += least_pass(in, out) / 2;
    }
    double const home = data.leg(here, 0);
    return driven(data, prefix) + std::max(legs, home);
}

/// The shortest routes for the last few customers: if those are too long, all are.
auto shortest_routes(FleetData data, Prefix prefix, double fleet, double limit) {
    return [data = std::move(data), prefix = std::move(prefix), fleet, limit](std::uint64_t work,
                                                                              std::function<bool()> const&) {
        ExactAnswer answer;
        ExactRest rest = serve_rest(data, prefix.under_way, prefix.left, {.work = work});
        answer.work = rest.work;
        if (!rest.complete) return answer;
        answer.outcome = ExactAnswer::Outcome::none;
        if (!rest.routes) return answer;
        Routes whole = prefix.with(*rest.routes);
        if (length_of(data, whole) > limit) return answer;
        bool const enough = static_cast<double>(whole.routes.size()) <= fleet;
        answer.outcome = enough ? ExactAnswer::Outcome::found : ExactAnswer::Outcome::budget_spent;
        if (enough) answer.solution = std::move(whole);
        return answer;
    };
}

} // namespace

Result<DecisionModel> FleetInstance::decision_model(Question const& question, Rounding rounding) const {
    if (auto const ok = check_bound(*this, question); !ok) return ok.error();
    auto const prefix = prefix_of(*this, question.prefix);
    if (!prefix) return prefix.error();
    FleetData const data = fleet_to_solve();
    FleetFamilies const families = this->families();
    Tolerances const slack = tolerances(rounding);
    Routes direct = one_vehicle_each(*prefix);
    for (auto const& route : direct.routes) {
        if (auto broken = broken_rule(data, route, families, slack)) return *std::move(broken);
    }
    std::size_t const used = prefix->finished.size() + (prefix->under_way.empty() ? 0 : 1);
    double const fleet = question.bound ? std::floor(*question.bound) : static_cast<double>(nodes());
    double const limit = question.cost_bound.value_or(std::numeric_limits<double>::infinity()) *
                         (1 + (rounding == Rounding::loose ? 2 : 0.5) * length_tolerance);
    if (double const least = least_length(data, *prefix); least > limit) {
        return refusal(families.spatial, fmt::format("no routes are shorter than {:.6g}", least));
    }
    if (fleet >= static_cast<double>(used + prefix->left.size()) && length_of(data, direct) <= limit) {
        return consent(std::move(direct));
    }
    if (static_cast<double>(used) > fleet) {
        return refusal(no_family, fmt::format("{} vehicles are on their way already, and {} are allowed", used, fleet));
    }
    std::size_t const vehicles =
        static_cast<std::size_t>(std::min(fleet, static_cast<double>(used + prefix->left.size()))) -
        prefix->finished.size();
    if (vehicles == 0) {
        return refusal(no_family, fmt::format("no vehicle is left for customer {}", prefix->left.front()));
    }
    if (auto broken = too_much_demand(data, *prefix, vehicles, families, slack)) return *std::move(broken);
    if (prefix->left.size() > max_tour_customers) {
        return unsupported("{} customers: a decision model has at most {}", prefix->left.size(), max_tour_customers);
    }
    if (!question.cost_bound) return giant_tour(data, *prefix, vehicles, {}, families, rounding);
    DecisionModel decision = giant_tour(data, *prefix, vehicles, limit - driven(data, *prefix), families, rounding);
    if (prefix->left.size() <= max_exact_rest) decision.exact = shortest_routes(data, *prefix, fleet, limit);
    return decision;
}

} // namespace cax::routing
