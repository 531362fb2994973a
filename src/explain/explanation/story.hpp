#pragma once
// The story of a whole plan: what stands out in it, and how it compares with what a classical search finds.
#include "explanation/words.hpp"

namespace cax {

/// By the problem's own search; nothing where the problem has none.
[[nodiscard]] Result<std::optional<BestKnown>> best_known_plan(ExplanationContext const& context);

/// A completion that was found for some step may be better still.
void improve_best_known(Explanation& explanation, ExplanationContext const& context);

/// Precondition: all steps are explained.
[[nodiscard]] PlanSummary summary_of(Explanation const& explanation);

/// Five to eight sentences. Their fields are those of the whole record.
[[nodiscard]] std::vector<Sentence> tell_story(StepWords const& words, Explanation const& explanation);

} // namespace cax
