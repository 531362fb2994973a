// Do routes answer the question? From the definition; shares nothing with the decision model.
#include "check.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::cvrptw {
namespace {

/// Every route that the actions finished must be there as it is, and the one under way must go on from there.
void check_beginning(Routes const& solution, std::vector<std::size_t> const& actions,
                     std::vector<std::string>& violations) {
    std::vector<std::size_t> part;
    auto const starts_like_part = [&](std::vector<std::size_t> const& route) {
        return route.size() >= part.size() && std::equal(part.begin(), part.end(), route.begin());
    };
    for (std::size_t t = 0; t <= actions.size(); ++t) {
        bool const at_the_end = t == actions.size();
        if (!at_the_end && actions[t] != 0) {
            part.push_back(actions[t]);
            continue;
        }
        if (part.empty()) continue;
        bool const found = std::ranges::any_of(solution.routes, [&](auto const& route) {
            return starts_like_part(route) && (at_the_end || route.size() == part.size());
        });
        if (!found) {
            violations.push_back(fmt::format("no route {} the {} customers {}, ...", at_the_end ? "begins with" : "is",
                                             part.size(), part.front()));
        }
        part.clear();
    }
}

} // namespace

CheckReport Instance::check_answer(Solution const& solution, Question const& question) const {
    CheckReport report = check(solution);
    auto const* routes = std::get_if<Routes>(&solution);
    if (routes == nullptr) return report;
    auto const vehicles = std::ranges::count_if(routes->routes, [](auto const& route) { return !route.empty(); });
    if (question.bound && !(static_cast<double>(vehicles) <= *question.bound)) {
        report.violations.push_back(fmt::format("there are {} routes, more than {}", vehicles, *question.bound));
    }
    check_beginning(*routes, question.prefix, report.violations);
    return report;
}

} // namespace cax::cvrptw
