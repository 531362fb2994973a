// Is this a solution? From the definition, in double precision, sharing no code with the state.
#include "cax/problems/cvrptw/instance.hpp"

#include "../routing/check.hpp"
#include "../routing/fleet/fleet.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::cvrptw {
namespace {

bool is_late(double arrival, float close) { return arrival - routing::time_tolerance * arrival > double{close}; }

/// Drives one route by the clock; returns its length. Unknown customers have been reported and are skipped.
double drive(Data const& data, std::vector<std::size_t> const& route, std::size_t number, DistanceRule rule,
             std::vector<std::string>& violations) {
    double length = 0;
    double time = 0;
    double load = 0;
    std::size_t here = 0;
    bool overloaded = false;
    for (std::size_t const customer : route) {
        if (customer == 0 || customer >= data.locs.size()) continue;
        double const distance = routing::rule_distance(data.locs[here], data.locs[customer], rule);
        Window const& window = data.time_windows[customer];
        length += distance;
        double const arrival = time + distance;
        if (is_late(arrival, window.close)) {
            violations.push_back(
                fmt::format("route {}: reaches customer {} at {:.6g}, after its window closed at {:.6g}", number,
                            customer, arrival, window.close));
        }
        time = std::max(arrival, double{window.open}) + double{data.durations[customer]};
        load += double{data.demand[customer - 1]};
        if (load > 1 + routing::load_tolerance && !overloaded) {
            overloaded = true;
            violations.push_back(fmt::format("route {}: load {:.6g} at customer {} exceeds the capacity {:.6g}", number,
                                             load * double{data.capacity}, customer, data.capacity));
        }
        here = customer;
    }
    double const home = routing::rule_distance(data.locs[here], data.locs[0], rule);
    if (here != 0 && is_late(time + home, data.time_windows[0].close)) {
        violations.push_back(fmt::format("route {}: returns to the depot at {:.6g}, after it closed at {:.6g}", number,
                                         time + home, data.time_windows[0].close));
    }
    return length + home;
}

} // namespace

/// Lists everything that is wrong. The cost is the total length of the routes; empty routes count for nothing.
CheckReport Instance::check_routes(Routes const& solution, DistanceRule rule) const {
    CheckReport report;
    routing::check_visits(*this, solution, /*everybody=*/true, report.violations);
    for (std::size_t r = 0; r < solution.routes.size(); ++r) {
        report.cost += drive(data_, solution.routes[r], r + 1, rule, report.violations);
    }
    return report;
}

} // namespace cax::cvrptw
