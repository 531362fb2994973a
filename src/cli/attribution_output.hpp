#pragma once
// What `cax attribute` shows: a table of multipliers, and a heat map of steps and families.
#include "cax/records/attribution.hpp"

#include <string>
#include <vector>

namespace cax::cli {

using records::AttributedInstance;

[[nodiscard]] std::string multiplier_text(ProblemInfo const& info, Multipliers const& multipliers);
/// One line per step, one column per family: each family's share of the step's scores as a shade and a number. Shares
/// are those of masses where scores do not exist.
[[nodiscard]] std::string heat_map_text(ProblemInfo const& info, AttributedInstance const& found, bool colour);
/// How often which family was on top, over all instances.
[[nodiscard]] std::string top_text(ProblemInfo const& info, std::vector<AttributedInstance> const& all);

} // namespace cax::cli
