#pragma once
// What each stage of a task computes. A stage gets the task's instance and episode and answers with one JSON object per
// decision; whatever stages share (multipliers, attributions) is computed once per task.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/attribution.hpp"
#include "cax/policies/rollout.hpp"
#include "cax/explain/counterfactual.hpp"
#include "cax/explain/flip_certificate.hpp"
#include "cax/explain/swap.hpp"
#include "cax/study/plan.hpp"
#include "cax/study/runner.hpp"

#include <map>
#include <optional>

namespace cax::study {

/// Whom else a policy's explanations are asked of: who does not care which policy it is, explains no policy.
struct Twins {
    Policy const* sibling = nullptr;   ///< another trained policy of the problem; null without one
    Policy const* untrained = nullptr; ///< a network of the same sizes with random weights; null if there is none
};

/// One policy on one instance.
class TaskWork {
public:
    TaskWork(Settings const& settings, StudyPolicy const& policy, Twins const& twins, std::size_t instance)
        : settings_(settings), policy_(policy), twins_(twins), number_(instance) {}

    /// The instance and its first decisions.
    [[nodiscard]] Result<void> begin();
    [[nodiscard]] std::size_t steps() const { return episode_.decisions.size(); }
    [[nodiscard]] Json walk_json() const;

    /// One decision; `step` is not looked at by stages of the whole instance.
    [[nodiscard]] Result<Json> run(Stage const& stage, std::size_t step);

private:
    using MultiplierTable = std::map<Source, Multipliers>; ///< without those that a problem does not have
    [[nodiscard]] Result<InstancePtr> generate(std::size_t number) const;
    /// A seed for one purpose, of which no other policy or purpose has any numbers.
    [[nodiscard]] std::uint64_t seed_for(std::uint32_t purpose) const;

    [[nodiscard]] Result<Json> decision(SingleStage stage, std::size_t step);
    [[nodiscard]] Result<Json> decision(Search search, std::size_t step);
    [[nodiscard]] Result<Json> decision(SubsetVariant rule, std::size_t step);
    [[nodiscard]] Result<Json> decision(Intervention intervention, std::size_t step);
    [[nodiscard]] Result<Json> decision(Asked asked, std::size_t step);

    [[nodiscard]] Result<MultiplierTable const*> multipliers();
    [[nodiscard]] Result<std::vector<DecisionAttribution> const*> attribution(MassReading reading);
    [[nodiscard]] Result<Json> multipliers_cell();
    [[nodiscard]] Result<Json> attribution_cell(std::size_t step);
    [[nodiscard]] Result<Json> counterfactual_cell(CounterfactualVariant const& variant, std::size_t step);
    [[nodiscard]] Result<Json> relative_cell(std::size_t step);
    [[nodiscard]] Result<Json> guided_cell(std::size_t step);
    [[nodiscard]] Result<Json> one_number_cell(std::size_t step);
    /// What the sampler would name if every shot flipped.
    [[nodiscard]] Json sampler_cell(std::size_t step) const;
    /// A flip with its masses and its certificate.
    [[nodiscard]] Result<Json> certified_flip_json(std::size_t step, Flip const& flip) const;
    [[nodiscard]] Result<Json> wachter_cell();
    [[nodiscard]] Result<Json> gap_cell();
    [[nodiscard]] Result<Json> noise_truth_cell(std::size_t step) const;
    [[nodiscard]] Result<Json> redraw_truth_cell(std::size_t step) const;
    /// What every method says of a decision, asked of this policy or of a twin.
    [[nodiscard]] Result<Json> judged_cell(Policy const* policy, std::size_t step);
    [[nodiscard]] Result<Json> curve_cell(std::size_t step);
    [[nodiscard]] Json thumb_cell(std::size_t step) const;
    [[nodiscard]] AttributionOptions judged_attribution(AttributionMethod method) const;

    [[nodiscard]] CounterfactualOptions counterfactual_options() const;
    [[nodiscard]] Result<Certificate> certified(std::size_t step, Flip const& flip, Certification mode) const;
    [[nodiscard]] ProblemInfo const& info() const { return policy_.problem->info(); }

    Settings const& settings_;
    StudyPolicy const& policy_;
    Twins twins_;
    std::size_t number_;
    InstancePtr instance_;
    Episode episode_;
    MultiplierTable multipliers_;
    std::map<MassReading, std::vector<DecisionAttribution>> attributions_;
};

} // namespace cax::study
