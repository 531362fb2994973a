// Is this a solution? From the definition, in double precision, sharing no code with the state.
#include "cax/problems/tsp/instance.hpp"

#include "../routing/check.hpp"
#include "../routing/tour/tour.hpp"

namespace cax::tsp {

/// Lists everything that is wrong. The cost is the length of the closed tour.
CheckReport Instance::check_routes(Routes const& solution, DistanceRule rule) const {
    CheckReport report;
    routing::check_visits(*this, solution, /*everybody=*/true, report.violations);
    for (auto const& route : solution.routes) {
        for (std::size_t i = 0; i < route.size(); ++i) {
            std::size_t const here = route[i], next = route[(i + 1) % route.size()];
            if (here >= nodes() || next >= nodes()) continue; // reported
            report.cost += routing::rule_distance(data_.locs[here], data_.locs[next], rule);
        }
    }
    return report;
}

} // namespace cax::tsp
