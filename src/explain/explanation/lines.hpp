#pragma once
// The few plain lines under a decision that a planner reads first: how sure it was, what it cost, why this and not the
// next best, and what would upset it. Decision by decision, never a constant of the problem.
#include "explanation/words.hpp"

namespace cax {

/// At most four. Parts that are not there are passed over.
[[nodiscard]] std::vector<Sentence> step_lines(StepWords const& words, Step const& step);

} // namespace cax
