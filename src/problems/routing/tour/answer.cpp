#include "tour.hpp"

#include "../problem.hpp"

#include <fmt/format.h>

namespace cax::routing {

void check_beginning(Instance const& instance, Routes const& solution, std::span<std::size_t const> prefix,
                     std::vector<std::string>& violations) {
    NodeWords const& words = problem_of(instance).look().nodes;
    std::vector<std::size_t> const tour =
        solution.routes.empty() ? std::vector<std::size_t>{} : solution.routes.front();
    for (std::size_t t = 0; t < prefix.size(); ++t) {
        bool const home = prefix[t] == 0 && words.depot;
        bool const over = t >= tour.size();
        if (home ? over : (!over && tour[t] == prefix[t])) continue;
        violations.push_back(home ? fmt::format("the tour goes on after {} {}", t, words.many)
                                  : fmt::format("stop {} is not {}", t + 1, node_name(prefix[t], words)));
        break;
    }
}

/// From the definition; shares nothing with the decision model.
CheckReport TourInstance::check_answer(Solution const& solution, Question const& question) const {
    CheckReport report = check(solution);
    auto const* routes = std::get_if<Routes>(&solution);
    if (routes == nullptr) return report;
    if (question.bound && !(report.cost <= *question.bound * (1 + cost_tolerance))) {
        report.violations.push_back(
            fmt::format("the tour costs {:.9g}, more than {:.9g}", report.cost, *question.bound));
    }
    check_beginning(*this, *routes, question.prefix, report.violations);
    return report;
}

} // namespace cax::routing
