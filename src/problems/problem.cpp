#include "cax/problems/problem.hpp"

#include "cax/problems/decision_model.hpp"

#include <fmt/format.h>

namespace cax {

Result<SearchResult> Instance::search(SearchOptions const&) const {
    return Error{ErrorCode::unsupported, fmt::format("there is no classical search for {}", problem().info().title)};
}

Result<DecisionModel> Instance::decision_model(Question const&, Rounding) const {
    return Error{ErrorCode::unsupported, fmt::format("there is no decision model for {}", problem().info().title)};
}

CheckReport Instance::check_answer(Solution const& solution, Question const& question) const {
    CheckReport report = check(solution);
    if (!question.prefix.empty()) report.violations.emplace_back("beginnings cannot be checked for this problem");
    if (question.bound) report.violations.emplace_back("bounds cannot be checked for this problem");
    return report;
}

} // namespace cax
