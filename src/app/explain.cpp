#include "cax/app/explain.hpp"

#include "cax/app/reference.hpp"
#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/records/regret.hpp"
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

Json regret_entry(Explanation const& explanation, std::size_t instance) {
    Json entry{{"instance", instance}, {"cost", explanation.report.cost}};
    if (!explanation.regret) {
        entry["reason"] = explanation.no_regret;
        return entry;
    }
    PlanRegret const& found = *explanation.regret;
    std::string_view const status = found.optimal ? "proved" : found.bound ? "bounded" : "search";
    entry["best"] = {{"cost", found.best.cost},
                     {"status", status},
                     {"lower_bound", found.bound ? Json(*found.bound) : Json(nullptr)},
                     {"solution", solution_to_json(*explanation.instance, found.best.solution)}};
    entry.update(records::plan_regret_json(found));
    entry["decisions"] = Json::array();
    for (Step const& step : explanation.steps) {
        Json decision{{"step", step.step}, {"action", step.choice.action}, {"words", step.choice.words}};
        decision.update(records::part_json({explanation, step}, parts::Regret::name));
        entry["decisions"].push_back(std::move(decision));
    }
    return entry;
}

} // namespace cax::app
