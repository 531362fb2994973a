#pragma once
// The parts of an explanation as JSON, with the field names of the primitives' own result files.
#include "cax/core/json.hpp"
#include "cax/explain/explanation.hpp"
#include "cax/problems/presentation.hpp"

namespace cax {

/// What all steps of an explanation share.
struct Explained {
    Policy const& policy;
    Walk const& walk;
    Presentation const& presentation;
    ExplainOptions const& options;
    Multipliers const* multipliers; ///< null without attribution

    [[nodiscard]] ProblemInfo const& info() const { return walk.instance->problem().info(); }
    [[nodiscard]] Instance const& instance() const { return *walk.instance; }
};

/// {action, words, probability, mark}.
[[nodiscard]] Json choice_json(Presentation const& presentation, State const& state, LogProbs const& log_probs,
                               std::size_t action);
/// The decision itself: everything that needs no primitive.
[[nodiscard]] Json decision_json(Explained const& all, std::size_t step);
[[nodiscard]] Json attribution_json(Explained const& all, CellAttribution const& attribution);
[[nodiscard]] Json counterfactual_json(Explained const& all, CounterfactualAnswer const& found);
[[nodiscard]] Json subset_json(Explained const& all, Subset const& subset, SubsetRule const& rule);
/// Why the asked-for node was not chosen. Error if there is no such node.
[[nodiscard]] Result<Json> why_not_json(Explained const& all, std::size_t step);

/// lambda, lp, range of the instance.
[[nodiscard]] Json multipliers_json(ProblemInfo const& info, Multipliers const& multipliers);

} // namespace cax
