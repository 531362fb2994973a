#pragma once
// What was asked about one decision as records: the decisions of cax/swap/1, cax/sensitivity/1 and cax/alternatives/1, and
// the parts of an explained step.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/explanation.hpp"

namespace cax::records {

/// {rules: [{name, words, agreed, decisions, rate, chance, departures}], best}
[[nodiscard]] Json thumb_story_json(ThumbStory const& story);
[[nodiscard]] Json slack_json(ProblemInfo const& info, Slack const& slack);
[[nodiscard]] Json slacks_json(ProblemInfo const& info, std::vector<Slack> const& slacks);

/// What of a whole plan stands out; steps are places in "steps".
[[nodiscard]] Json plan_json(ProblemInfo const& info, PlanSummary const& plan);
/// {cost, status, lower_bound, gap, parts_at, instead, instead_action, solution, drawing}; lower_bound is an upper one
/// where prizes are collected.
[[nodiscard]] Json best_known_json(Instance const& instance, BestKnown const& best);
/// {text, evidence, about, fields: [JSON pointers below `at`]}
[[nodiscard]] Json line_json(Sentence const& sentence, std::string const& at);

} // namespace cax::records
