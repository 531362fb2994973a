#pragma once
// What sentences call things, and the sentences of a step, number by number from its values; each names the field of
// the record in which the number stands.
#include "cax/explain/explanation.hpp"
#include "cax/problems/presentation.hpp"

#include <span>

namespace cax {

/// What sentences call things.
struct StepWords {
    ProblemInfo const& info;
    std::span<FamilyWords const> families;

    /// "time windows": what the family's numbers are called.
    [[nodiscard]] std::string data(std::size_t family) const {
        FamilyWords const& words = families[family];
        return std::string(words.data.empty() ? words.label : words.data);
    }
    [[nodiscard]] std::string label(std::size_t family) const { return std::string(families[family].label); }
};

/// How much more probable the chosen action is than the best other one, or less, where it was forced; infinite if it was
/// the only one.
[[nodiscard]] double lead_of(Step const& step);
[[nodiscard]] bool is_tie(Step const& step);
/// The lead is small, but there is one.
[[nodiscard]] bool is_close_call(Step const& step);

/// The few plain lines under a decision that a planner reads first: how sure it was, what it cost, why this and not the
/// next best, and what would change it. At most four, decision by decision, never a constant of the problem.
[[nodiscard]] std::vector<Sentence> step_lines(StepWords const& words, Step const& step);

/// Everything, with its numbers. Parts that are not there are passed over.
[[nodiscard]] std::vector<Sentence> step_sentences(StepWords const& words, Step const& step);

} // namespace cax
