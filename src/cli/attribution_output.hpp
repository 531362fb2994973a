#pragma once
// What `cax attribute` shows: a table of multipliers, a heat map of steps and families, and the result file's fields.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/attribution.hpp"

#include <string>
#include <vector>

namespace cax::cli {

/// Everything that was found out about one instance. `cells` and `attributions` have one entry per step.
struct AttributedInstance {
    Walk walk;
    Multipliers multipliers;
    std::vector<CellAttribution> attributions;
};

/// Are all steps with a mass dual-unique? Nothing if ranges were not asked for, or there is no such step.
[[nodiscard]] std::optional<bool> all_dual_unique(AttributedInstance const& found);

[[nodiscard]] std::string multiplier_text(ProblemInfo const& info, Multipliers const& multipliers);
/// One line per step, one column per family: each family's share of the step's scores as a shade and a number. Shares
/// are those of masses where scores do not exist.
[[nodiscard]] std::string heat_map_text(ProblemInfo const& info, AttributedInstance const& found, bool colour);
/// How often which family was on top, over all instances.
[[nodiscard]] std::string top_text(ProblemInfo const& info, std::vector<AttributedInstance> const& all);

[[nodiscard]] Json attributed_json(ProblemInfo const& info, AttributedInstance const& found);

} // namespace cax::cli
