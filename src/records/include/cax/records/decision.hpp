#pragma once
// What was asked about one decision as records: the cells of cax/swap/1, cax/sensitivity/1 and cax/alternatives/1, and
// the parts of an explained step.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/explanation.hpp"

namespace cax::records {

/// {status, other, other_words, other_is_runner_up, margin, families: {name: phi}, single: {name: margin}, top}
[[nodiscard]] Json swap_json(ProblemInfo const& info, StepSwap const& swap);
/// {status, sizes, shots, pool, families: {name: {score, error, share, flip_rate, flip_rate_by_size, percentile, ..}},
/// unusual}
[[nodiscard]] Json sensitivity_json(ProblemInfo const& info, StepSensitivity const& sensitivity);
/// [{family, action, words, probability, rule, used, limit, slack}]
[[nodiscard]] Json forbidden_json(ProblemInfo const& info, std::vector<StepForbidden> const& forbidden);
/// One entry per action, by its number: {action, words, allowed, spent, forbidden_by, probability, extra, start, end,
/// slacks, cost, cost_status, impossible, bound, policy_cost, regret, worse_by (than the chosen one; negative =
/// better)}
[[nodiscard]] Json alternatives_json(ProblemInfo const& info, Alternatives const& alternatives);
/// {given_away, status, instead, instead_words}; null if nothing can be compared.
[[nodiscard]] Json price_json(ProblemInfo const& info, Alternatives const& alternatives);
/// {rule: agrees}
[[nodiscard]] Json thumb_json(Problem const& problem, Thumb const& thumb);
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
