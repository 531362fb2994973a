#pragma once
// Regrets as records: of a plan, and of its decisions.
#include "cax/core/json_fwd.hpp"
#include "cax/oracle/regret.hpp"

namespace cax::records {

/// {status, value: [low, high], regret: [low, high], estimate}: an end that nobody knows is null.
[[nodiscard]] Json regret_json(DecisionRegret const& found);
/// {gap: [low, high], located, proved_steps, ranking: [steps], arithmetic, optimal, bound, work}
[[nodiscard]] Json plan_regret_json(PlanRegret const& found);

} // namespace cax::records
