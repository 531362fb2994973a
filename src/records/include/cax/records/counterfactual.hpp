#pragma once
// Flips, certificates and answers as records: the decisions of cax/counterfactual/1, and the parts of it that explanations
// and studies hold, too.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/answer_tally.hpp"

namespace cax::records {

/// {mode, source, verdict, witness, checked, reason, doubt, work, cost?, conflict?}
[[nodiscard]] Json certificate_json(Instance const& instance, Certificate const& certificate);
/// {verdict, source, doubt?, reason?}: the same without the witness, for those who count verdicts.
[[nodiscard]] Json verdict_json(Certificate const& certificate);
/// What verdict_json() wrote; nothing if nobody was asked. Error if it is no verdict.
[[nodiscard]] Result<std::optional<Verdict>> read_verdict(Json const& json);

/// {new_action, l1, entries, tensor, family}
[[nodiscard]] Json flip_json(ProblemInfo const& info, Flip const& flip);
/// The same with its status, norms, masses, changes and certificate.
[[nodiscard]] Json settled_json(Instance const& instance, SettledFlip const& settled);

/// {search, movable, tried, tried_together, out_of_passes}: how flips were looked for; the counts are a guided
/// search's.
[[nodiscard]] Json search_json(CounterfactualAnswer const& answer);

/// One entry of "cells".
[[nodiscard]] Json decision_json(Episode const& episode, CounterfactualAnswer const& answer);
/// One entry of a decision's "families".
[[nodiscard]] Json family_json(Episode const& episode, FamilyAnswer const& answer);
/// {status: decisions}, every status there is
[[nodiscard]] Json statuses_json(AnswerTally::Statuses const& statuses);
/// {decisions, forward_passes_per_cell, .., median_l1_sampled, ..}: "summary"; what is about refined flips only if there
/// are some
[[nodiscard]] Json tally_json(AnswerTally const& tally);
[[nodiscard]] Json wachter_json(WachterCount const& count);

} // namespace cax::records
