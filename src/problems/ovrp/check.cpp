// Is this a solution? From the definition, in double precision, sharing no code with the state or the solvers.
#include "cax/problems/ovrp/instance.hpp"

#include "../routing/check.hpp"

namespace cax::ovrp {

/// A solution is one if it is CVRP's. The cost is the length of the routes up to their last customers.
CheckReport Instance::check_routes(Routes const& solution, DistanceRule rule) const {
    CheckReport report = cvrp::Instance::check_routes(solution, rule);
    report.cost = 0;
    for (auto const& route : solution.routes) {
        std::size_t here = 0;
        for (std::size_t const customer : route) {
            if (customer == 0 || customer >= nodes()) continue; // reported
            report.cost += routing::rule_distance(data_.locs[here], data_.locs[customer], rule);
            here = customer;
        }
    }
    return report;
}

} // namespace cax::ovrp
