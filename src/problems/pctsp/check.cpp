// Is this a solution? From the definition, in double precision, sharing no code with the state.
#include "cax/problems/pctsp/instance.hpp"

#include "../routing/check.hpp"
#include "../routing/tour/tour.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::pctsp {

/// Lists everything that is wrong. The cost is the length plus the penalties of customers who are not visited.
CheckReport Instance::check_routes(Routes const& solution, DistanceRule rule) const {
    CheckReport report;
    routing::check_visits(*this, solution, /*everybody=*/false, report.violations);
    std::vector<std::uint8_t> visited(nodes(), 0);
    visited[0] = 1;
    double collected = 0;
    for (auto const& route : solution.routes) {
        std::size_t here = 0;
        for (std::size_t const customer : route) {
            if (customer == 0 || customer >= nodes()) continue; // reported
            report.cost += routing::rule_distance(data_.locs[here], data_.locs[customer], rule);
            collected += double{data_.prize[customer - 1]};
            visited[customer] = 1;
            here = customer;
        }
        report.cost += routing::rule_distance(data_.locs[here], data_.locs[0], rule);
    }
    for (std::size_t node = 1; node < nodes(); ++node)
        report.cost += visited[node] == 0 ? double{data_.penalty[node]} : 0;
    bool const everybody = std::ranges::all_of(visited, [](std::uint8_t flag) { return flag != 0; });
    if (!everybody && collected < prize_required - routing::prize_shortage) {
        report.violations.push_back(
            fmt::format("the tour collects {:.9g}, less than {}, and leaves customers out", collected, prize_required));
    }
    return report;
}

} // namespace cax::pctsp
