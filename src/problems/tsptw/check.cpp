// Is this a solution? From the definition, in double precision, sharing no code with the state.
#include "cax/problems/tsptw/instance.hpp"

#include "../routing/check.hpp"
#include "../routing/tour/tour.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::tsptw {

/// Lists everything that is wrong. The cost is the length of the closed tour; nobody asks when it is home.
CheckReport Instance::check_routes(Routes const& solution, DistanceRule rule) const {
    CheckReport report;
    routing::check_visits(*this, solution, /*everybody=*/true, report.violations);
    for (auto const& route : solution.routes) {
        double time = 0;
        std::size_t here = 0;
        for (std::size_t const customer : route) {
            if (customer == 0 || customer >= nodes()) continue; // reported
            double const way = routing::rule_distance(data_.locs[here], data_.locs[customer], rule);
            auto const [open, close] = data_.time_windows[customer];
            double const arrival = time + way;
            if (arrival - routing::arrival_tolerance * arrival > double{close}) {
                report.violations.push_back(fmt::format("customer {}: arrival at {:.9g}, after the window closed at {}",
                                                        customer, arrival, close));
            }
            report.cost += way;
            time = std::max(arrival, double{open});
            here = customer;
        }
        report.cost += routing::rule_distance(data_.locs[here], data_.locs[0], rule);
    }
    return report;
}

} // namespace cax::tsptw
