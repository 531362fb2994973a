#pragma once
// The record of an explanation: cax/explanation/1 without its head (schema, version, policy, ...).
//
//   problem {name, title, objective, cost_word, node_word, families: [{name, label, hint}]}
//   instance {name, size, description}, scene, solution {cost, valid, violations, actions, drawing, ...}
//   steps [{action, words, probability, mark, step, log_prob, allowed, actions, runner_up, slacks, moment,
//           attribution, counterfactual, subset, why_not, swap, sensitivity, forbidden, alternatives, thumb, lines,
//           sentences, seconds}]
//   story [{text, evidence, about, fields}], plan {...}, best_known {...}, thumb {...}
//   given {whose, policy_cost, gap, waits} and, in each step, policy {action, words, probability, agrees}: the plan is
//   somebody else's; else null
//   backend, aggregate, lambda {family: value}, lp {...}, range {...}
//
// scene, moment, mark and drawing: see cax/problems/presentation.hpp. Parts that were not asked for are null.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/explanation.hpp"

namespace cax::records {

[[nodiscard]] Json explanation_json(Explanation const& explanation);

} // namespace cax::records
