// Does a tour answer the question? From the definition; shares nothing with the decision model.
#include "check.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::op {

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
        double const least = *question.bound - 1e-6 * std::max(1.0, *question.bound);
        if (!(report.cost >= least)) {
            report.violations.push_back(
                fmt::format("the tour collects {:.9g}, less than {:.9g}", report.cost, *question.bound));
        }
    }
    std::vector<std::size_t> const tour = routes->routes.empty() ? std::vector<std::size_t>{} : routes->routes.front();
    for (std::size_t t = 0; t < question.prefix.size(); ++t) {
        std::size_t const wanted = question.prefix[t];
        bool const over = t >= tour.size();
        if (wanted == 0 ? over : (!over && tour[t] == wanted)) continue;
        report.violations.push_back(wanted == 0 ? fmt::format("the tour goes on after {} customers", t)
                                                : fmt::format("stop {} is not customer {}", t + 1, wanted));
        break;
    }
    return report;
}

} // namespace cax::op
