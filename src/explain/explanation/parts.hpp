#pragma once
// The parts of an explained step, each of which asks one primitive.
#include "cax/explain/explanation.hpp"
#include "cax/problems/presentation.hpp"

#include <span>

namespace cax {

/// What all steps of an explanation share.
struct Explaining {
    Policy const& policy;
    Walk const& walk;
    Presentation const& presentation;
    ExplainOptions const& options;
    Multipliers const* multipliers; ///< null without attribution

    [[nodiscard]] ProblemInfo const& info() const { return walk.instance->problem().info(); }
    [[nodiscard]] Instance const& instance() const { return *walk.instance; }
};

/// The decision itself: everything that needs no primitive.
[[nodiscard]] Step decided_step(Explaining const& all, std::size_t step);
[[nodiscard]] Choice choice_of(Cell const& cell, std::size_t action);

[[nodiscard]] Result<ScoredAttribution> explain_attribution(Explaining const& all, std::size_t step);
[[nodiscard]] Result<StepCounterfactual> explain_counterfactual(Explaining const& all, std::size_t step,
                                                                AnswerOptions const& request);
/// Nodes in the order of `scores`, or as they come if there are none.
[[nodiscard]] Result<StepSubset> explain_subset(Explaining const& all, std::size_t step,
                                                std::vector<double> const& scores);
/// Error if there is no such node.
[[nodiscard]] Result<StepWhyNot> explain_why_not(Explaining const& all, std::size_t step);

} // namespace cax
