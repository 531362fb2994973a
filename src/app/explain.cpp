#include "cax/app/explain.hpp"

#include "cax/app/reference.hpp"
#include "cax/core/json.hpp"
#include "cax/records/step_parts.hpp"

namespace cax::app {

Result<ExplainOptions> explain_options(ExplanationRequest& request, LoadedPolicy const& policy,
                                       Policy const& asked, WorkOptions const& work) {
    auto options = request.resolve(policy.problem->info());
    if (!options) return options.error();
    options->seed = work.seed;
    options->threads = work.threads;
    std::uint64_t const decisions = request.of<parts::Sensitivity>().reference;
    auto const ok =
        add_reference(*options, decisions, request.decisions.state_options(), policy, asked, work.measuring);
    if (!ok) return ok.error();
    return options;
}

Result<Episode> episode_of(Policy const& policy, InstancePtr const& instance, StateOptions const& state,
                           std::optional<ExternalPlan> const& plan) {
    return plan ? rollout_external(policy, instance, *plan, state) : rollout(policy, instance, {.state = state});
}

Json answer_json(Explanation const& explanation, Step const& step, std::size_t instance, std::string_view part) {
    return {{"instance", instance},
            {"step", step.step},
            {"action", step.choice.action},
            {"words", step.choice.words},
            {"probability", *step.choice.probability},
            {std::string(part), records::part_json({explanation, step}, part)}};
}

} // namespace cax::app
