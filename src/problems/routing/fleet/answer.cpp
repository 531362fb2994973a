#include "fleet.hpp"

#include "../field.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::routing {

double demand_in_units(FleetData const& data, std::size_t customer) {
    return in_units(data.demand[customer - 1], data.capacity);
}

void check_visits(std::size_t nodes, Routes const& solution, std::vector<std::string>& violations) {
    std::vector<std::size_t> visits(nodes, 0);
    for (std::size_t r = 0; r < solution.routes.size(); ++r) {
        for (std::size_t const customer : solution.routes[r]) {
            if (customer == 0 || customer >= nodes) {
                violations.push_back(fmt::format("route {}: there is no customer {} (customers are 1 to {})", r + 1,
                                                 customer, nodes - 1));
            } else {
                ++visits[customer];
            }
        }
    }
    for (std::size_t customer = 1; customer < visits.size(); ++customer) {
        if (visits[customer] == 0) violations.push_back(fmt::format("customer {} is not visited", customer));
        if (visits[customer] > 1) {
            violations.push_back(fmt::format("customer {} is visited {} times", customer, visits[customer]));
        }
    }
}

/// From the definition; shares nothing with the decision model.
CheckReport FleetInstance::check_answer(Solution const& solution, Question const& question) const {
    CheckReport report = check(solution);
    auto const* routes = std::get_if<Routes>(&solution);
    if (routes == nullptr) return report;
    auto const vehicles = std::ranges::count_if(routes->routes, [](auto const& route) { return !route.empty(); });
    if (question.bound && !(static_cast<double>(vehicles) <= *question.bound)) {
        report.violations.push_back(fmt::format("there are {} routes, more than {}", vehicles, *question.bound));
    }
    if (question.cost_bound && !(report.cost <= *question.cost_bound * (1 + length_tolerance))) {
        report.violations.push_back(
            fmt::format("the routes are {:.9g} long, more than {:.9g}", report.cost, *question.cost_bound));
    }
    auto missing = missing_of(question.prefix, *routes);
    report.violations.insert(report.violations.end(), missing.begin(), missing.end());
    return report;
}

} // namespace cax::routing
