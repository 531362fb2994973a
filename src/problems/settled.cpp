#include "settled.hpp"

#include "errors.hpp"

#include <cmath>

namespace cax {

DecisionModel refusal(std::size_t family, std::string sentence) {
    DecisionModel decision{{}, [](auto) { return Solution{}; }};
    decision.model.add(LinearRule{{}, 1}, family, std::move(sentence));
    return decision;
}

DecisionModel consent(Solution solution) {
    return {{}, [solution = std::move(solution)](auto) { return solution; }};
}

Result<void> check_bound(Instance const& instance, Question const& question) {
    if (!question.bound || (std::isfinite(*question.bound) && *question.bound >= 0)) return {};
    return invalid("{} is {}: expected a number of at least 0", instance.problem().info().bound_option,
                   *question.bound);
}

Result<SearchResult> checked_result(Instance const& instance, Solution solution, bool optimal,
                                    std::uint64_t iterations) {
    CheckReport const report = instance.check(solution);
    if (!report.valid()) return Error{ErrorCode::solver_failed, "the search went wrong: " + report.violations.front()};
    return SearchResult{.solution = std::move(solution),
                        .cost = report.cost,
                        .optimal = optimal,
                        .lower_bound = optimal ? std::optional(report.cost) : std::nullopt,
                        .iterations = iterations};
}

void offer(Instance const& instance, Solution solution, Completion& completion) {
    CheckReport const report = instance.check(solution);
    bool const more = instance.problem().info().objective == Objective::maximise;
    bool const better = more ? report.cost > completion.cost : report.cost < completion.cost;
    if (!report.valid() || (completion.solution && !better)) return;
    completion.solution = std::move(solution);
    completion.cost = report.cost;
}

} // namespace cax
