// Is this a solution? From the definition, in double precision, sharing no code with the state.
#include "tour.hpp"

#include "../routing/check.hpp"

#include <fmt/format.h>

namespace cax::op {

/// Lists everything that is wrong. No route, or an empty one, is the empty tour. The cost is the collected prize.
CheckReport Instance::check_routes(Routes const& solution, DistanceRule rule) const {
    CheckReport report;
    routing::check_visits(*this, solution, /*everybody=*/false, report.violations);
    for (auto const& route : solution.routes) {
        double length = 0;
        std::size_t here = 0;
        for (std::size_t const customer : route) {
            if (customer == 0 || customer >= nodes()) continue; // reported
            length += routing::rule_distance(data_.locs[here], data_.locs[customer], rule);
            report.cost += double{data_.prize[customer]};
            here = customer;
        }
        length += routing::rule_distance(data_.locs[here], data_.locs[0], rule);
        double const limit = data_.max_length;
        if (length > limit * (1 + length_tolerance)) {
            report.violations.push_back(fmt::format("the tour has length {:.9g}, more than {:.9g}", length, limit));
        }
    }
    return report;
}

/// Does a tour answer the question? Shares nothing with the decision model.
CheckReport Instance::check_answer(Solution const& solution, Question const& question) const {
    CheckReport report = check(solution);
    for (std::size_t customer = 1; customer < nodes(); ++customer) {
        if (data_.prize[customer] >= 0) continue;
        report.violations.push_back(
            fmt::format("customer {}: prize is negative ({})", customer, data_.prize[customer]));
    }
    auto const* routes = std::get_if<Routes>(&solution);
    if (routes == nullptr) return report;
    if (question.bound) {
        // Each prize is rounded to 24 bits; what a person adds up in decimals may be that much more.
        double const least = *question.bound - 1e-6 * *question.bound;
        if (!(report.cost >= least)) {
            report.violations.push_back(
                fmt::format("the tour collects {:.9g}, less than {:.9g}", report.cost, *question.bound));
        }
    }
    routing::check_beginning(*this, *routes, question.prefix, report.violations);
    return report;
}

} // namespace cax::op
