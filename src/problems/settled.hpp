#pragma once
// Answers that need no solver, and what a search has to show: said in the same way by all problems.
#include "cax/problems/completions.hpp"
#include "cax/problems/questions.hpp"

namespace cax {

/// No, because of this family.
[[nodiscard]] DecisionModel refusal(std::size_t family, std::string sentence);
/// Yes, for example this one.
[[nodiscard]] DecisionModel consent(Solution solution);
/// Error (invalid_value) if the bound is no number of at least 0.
[[nodiscard]] Result<void> check_bound(Instance const& instance, Question const& question);

/// What was found, once the instance has checked it. An optimal solution is its own bound.
[[nodiscard]] Result<SearchResult> checked_result(Instance const& instance, Solution solution, bool optimal,
                                                  std::uint64_t iterations);

/// Takes a solution that the instance accepts and that is better than what is there.
void offer(Instance const& instance, Solution solution, Completion& completion);
/// Answers of complete(action) in the order of the request.
template <class Complete>
[[nodiscard]] Result<std::vector<Completion>> complete_each(CompletionRequest const& request, Complete&& complete) {
    std::vector<Completion> answers;
    for (std::size_t const action : request.actions) {
        auto answer = complete(action);
        if (!answer) return answer.error();
        answers.push_back(*std::move(answer));
    }
    return answers;
}

} // namespace cax
