// Is this a solution? From the definition, in double precision, sharing no code with the state.
#include "cax/problems/cvrp/instance.hpp"

#include "../routing/check.hpp"
#include "../routing/fleet/fleet.hpp"

#include <fmt/format.h>

namespace cax::cvrp {

/// Lists everything that is wrong. The cost is the total length of the routes; empty routes count for nothing.
CheckReport Instance::check_routes(Routes const& solution, DistanceRule rule) const {
    CheckReport report;
    routing::check_visits(*this, solution, /*everybody=*/true, report.violations);
    for (std::size_t r = 0; r < solution.routes.size(); ++r) {
        double load = 0;
        std::size_t here = 0;
        for (std::size_t const customer : solution.routes[r]) {
            if (customer == 0 || customer >= nodes()) continue; // reported
            report.cost += routing::rule_distance(data_.locs[here], data_.locs[customer], rule);
            load += double{data_.demand[customer - 1]};
            here = customer;
        }
        report.cost += routing::rule_distance(data_.locs[here], data_.locs[0], rule);
        if (load <= 1 + routing::load_tolerance) continue;
        report.violations.push_back(fmt::format("route {}: load {:.6g} exceeds the capacity {:.6g}", r + 1,
                                                load * double{data_.capacity}, data_.capacity));
    }
    return report;
}

} // namespace cax::cvrp
