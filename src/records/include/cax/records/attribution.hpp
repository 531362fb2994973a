#pragma once
// Attributions and multipliers as records: the instances of cax/attribution/1, and what explanations hold of it.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/attribution.hpp"

namespace cax::records {

/// Everything that was found out about one instance; one step per decision of the episode.
struct AttributedInstance {
    Episode episode;
    Multipliers multipliers;
    std::vector<ScoredAttribution> steps;

    /// Are all steps with a mass dual-unique? Nothing if ranges were not asked for, or there is no such step.
    [[nodiscard]] std::optional<bool> all_dual_unique() const;
};

/// {family: value or null}
[[nodiscard]] Json lambda_json(ProblemInfo const& info, Multipliers const& multipliers);
/// Adds `range` {family: [low, high]} of the program that lambda is of, with all its rows (null where there is no end),
/// `range_without_redundant_rows`, and `ranges`, which says for each of the two programs what is known:
/// {program, families: {name: {lambda, low, high, high_bound, high_exact, unbounded_along}}}.
void add_ranges(ProblemInfo const& info, RangeReport const& report, Json& json);
/// {status, objective, primal_residual, dual_residual, gap, iterations, shares}; numbers are null unless optimal.
[[nodiscard]] Json lp_json(ProblemInfo const& info, LpReport const& lp);

/// One entry of "instances".
[[nodiscard]] Json attributed_json(ProblemInfo const& info, AttributedInstance const& found);

} // namespace cax::records
