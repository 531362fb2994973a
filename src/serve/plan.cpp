#include "plan.hpp"

#include "refusal.hpp"

#include "cax/app/load.hpp"
#include "cax/core/json.hpp"
#include "cax/records/explanation.hpp"
#include "cax/records/parts.hpp"

#include <fmt/format.h>

namespace cax::serve {
namespace {

/// rollout() speaks of instances by number; here there is only one.
std::string plain_words(std::string const& message) {
    constexpr std::string_view before = "instance 0: ";
    return message.starts_with(before) ? message.substr(before.size()) : message;
}

Json side_json(Instance const& instance, Alternative const& side) {
    Json json{{"action", side.action},
              {"words", side.words},
              {"probability", side.probability},
              {"policy_cost", records::number(side.policy_cost)},
              {"cost", records::number(side.cost)},
              {"cost_status", name_of(side.status)},
              {"bound", records::number(side.bound)},
              {"drawing", nullptr}};
    if (side.solution) json["drawing"] = instance.problem().presentation().drawing(instance, *side.solution);
    return json;
}

} // namespace

Result<Plan> Planner::plan(Policy const& policy, Version const& version) const {
    auto shown = app::rescale_for_policy(policy, version.instance, options_.keep_units);
    if (!shown) return shown.error();
    auto found =
        rollout(policy, shown->instance, {.state = options_.state, .forced = version.locks, .keep_dead_end = true});
    if (!found) return Error{ErrorCode::invalid_value, plain_words(found.error().message)};
    if (!found->finished) return Error{ErrorCode::invalid_value, words_for_dead_end(policy, *found)};
    auto episode = std::make_shared<Episode const>(*std::move(found));
    ExplainOptions nothing;
    nothing.parts = {};
    auto const context = explanation_context(policy, *episode, nothing);
    if (!context) return Error{ErrorCode::invalid_value, plain_words(context.error().message)};
    return Plan{version, shown->scale, std::move(shown->note), episode, describe_episode(*context)};
}

Json Planner::record(Plan const& plan, Answers const& known, std::vector<std::string> const& changes,
                     std::optional<Alternatives> probabilities) const {
    Explanation explanation = known.whole ? *known.whole : plan.explanation;
    if (!known.whole) {
        for (auto const& [step, explained] : known.steps) explanation.steps[step] = explained;
        if (known.context) explanation.multipliers = known.context->multipliers;
    }
    if (probabilities) {
        std::size_t const step = probabilities->step;
        explanation.steps[step].of<parts::Alternatives>() = *std::move(probabilities);
    }
    Json json = records::explanation_json(explanation);
    // The head goes to the record, not the record to the head: that one is large, and would be copied.
    if (options_.head) json.update(*options_.head);
    std::vector<std::string> notes = options_.notes;
    if (!plan.note.empty()) notes.push_back(plan.note);
    if (!changes.empty()) json["instances_sha256"] = nullptr; // no file holds it
    json["notes"] = std::move(notes);
    json["scale"] = plan.scale;
    return json;
}

void leave_to_rest(Plan& plan, std::size_t step) {
    for (Step& each : plan.explanation.steps) {
        if (each.step == step) continue;
        each.sentences.clear();
        each.lines.clear();
        each.slacks.clear();
    }
}

void add_what_if(Json& record, Plan const& plan, std::vector<std::string> const& changes) {
    Json& notes = record["notes"];
    for (std::string const& change : changes) notes.push_back("What if: " + change + ".");
    for (auto const& [step, action] : plan.version.locks) {
        notes.push_back(fmt::format("Step {} was insisted on, whatever the policy prefers: {}.", step + 1,
                                    plan.explanation.steps[step].choice.words));
    }
}

Result<Alternatives> Planner::probabilities(Policy const& policy, Plan const& plan, std::size_t step) const {
    return alternatives(policy, plan.episode->decisions[step], plan.episode->before(step),
                        {.mode = PricingMode::policy, .actions = 0});
}

Result<std::shared_ptr<ExplanationContext const>>
Planner::context(Policy const& policy, Plan const& plan, std::shared_ptr<ExplanationContext const> known) const {
    if (known) return known;
    auto made = explanation_context(policy, *plan.episode, options_.explain);
    if (!made) return Error{made.error().code, plain_words(made.error().message)};
    return std::make_shared<ExplanationContext const>(*std::move(made));
}

Result<Step> Planner::explained_step(Policy const& policy, ExplanationContext const& context, std::size_t step) const {
    ExplanationContext own = context;
    own.policy = &policy; // every request has a policy that can be called off
    auto found = explain_step(own, step);
    if (!found) return Error{found.error().code, plain_words(found.error().message)};
    return found;
}

Result<Explanation> Planner::explained_plan(Policy const& policy, Plan const& plan) const {
    if (!plan.version.locks.empty()) {
        return Error{ErrorCode::invalid_value,
                     "a plan in which decisions are insisted on is not the policy's: its story is not told"};
    }
    ExplainOptions options = options_.explain;
    options.parts.set<parts::Regret>(options.parts.has<parts::Story>());
    auto found = explain(policy, *plan.episode, options);
    if (!found) return Error{found.error().code, plain_words(found.error().message)};
    return found;
}

Result<Comparison> Planner::comparison(Policy const& policy, Plan const& plan, std::size_t step) const {
    Decision const& insisted = plan.episode->decisions[step];
    PricingOptions pricing = options_.explain.of<parts::Alternatives>();
    pricing.actions = 2; // this one, and the policy's favourite
    pricing.seed = options_.explain.seed;
    auto const priced = alternatives(policy, insisted, plan.episode->before(step), pricing,
                                     std::span(&plan.explanation.solution, 1));
    if (!priced) return priced.error();
    return Comparison{priced->all[insisted.taken()], priced->all[insisted.action]};
}

Json comparison_json(Instance const& instance, Comparison const& comparison) {
    return {{"insisted", side_json(instance, comparison.insisted)}, {"own", side_json(instance, comparison.own)}};
}

} // namespace cax::serve
