#include "check.hpp"

#include "../rule_distance.hpp"

#include <fmt/format.h>

namespace cax::op {

CheckReport check_tour(Data const& data, Routes const& solution, DistanceRule rule) {
    CheckReport report;
    if (solution.routes.size() > 1) {
        report.violations.push_back(fmt::format("there are {} routes: a solution is one tour", solution.routes.size()));
    }
    std::vector<std::size_t> visits(data.locs.size(), 0);
    for (auto const& route : solution.routes) {
        double length = 0;
        std::size_t here = 0;
        for (std::size_t const customer : route) {
            if (customer == 0 || customer >= data.locs.size()) {
                report.violations.push_back(
                    fmt::format("there is no customer {} (customers are 1 to {})", customer, data.locs.size() - 1));
                continue;
            }
            ++visits[customer];
            length += rule_distance(data.locs[here], data.locs[customer], rule);
            report.cost += double{data.prize[customer]};
            here = customer;
        }
        length += rule_distance(data.locs[here], data.locs[0], rule);
        double const limit = data.max_length;
        if (length > limit * (1 + length_tolerance)) {
            report.violations.push_back(fmt::format("the tour has length {:.9g}, more than {:.9g}", length, limit));
        }
    }
    for (std::size_t customer = 1; customer < visits.size(); ++customer) {
        if (visits[customer] < 2) continue;
        report.violations.push_back(fmt::format("customer {} is visited {} times", customer, visits[customer]));
    }
    return report;
}

} // namespace cax::op
