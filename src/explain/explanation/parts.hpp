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
    Multipliers const* multipliers;   ///< null without attribution
    std::vector<std::size_t> actions; ///< of the whole walk
    std::span<Solution const> known;  ///< whole plans, to begin searches from

    [[nodiscard]] ProblemInfo const& info() const { return walk.instance->problem().info(); }
    [[nodiscard]] Instance const& instance() const { return *walk.instance; }
    /// The actions that led to a step.
    [[nodiscard]] std::span<std::size_t const> before(std::size_t step) const { return std::span(actions).first(step); }
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
[[nodiscard]] Result<StepSwap> explain_swap(Explaining const& all, std::size_t step);
[[nodiscard]] Result<StepSensitivity> explain_sensitivity(Explaining const& all, std::size_t step);
[[nodiscard]] Result<std::vector<StepForbidden>> explain_forbidden(Explaining const& all, std::size_t step);
[[nodiscard]] Result<Alternatives> explain_alternatives(Explaining const& all, std::size_t step);
/// Error if there is no such node.
[[nodiscard]] Result<StepWhyNot> explain_why_not(Explaining const& all, std::size_t step);

} // namespace cax
