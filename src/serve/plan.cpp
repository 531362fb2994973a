#include "plan.hpp"

#include "refusal.hpp"

#include "cax/app/load.hpp"
#include "cax/core/json.hpp"
#include "cax/policies/rollout.hpp"
#include "cax/records/parts.hpp"

#include <fmt/format.h>

namespace cax::serve {
namespace {

/// Only the episode.
ExplainOptions without_parts(ExplainOptions options) {
    options.steps.clear();
    options.first_steps = 0;
    options.attribution = options.counterfactual = options.subset = options.swap = options.sensitivity = false;
    options.forbidden = options.alternatives = options.thumb = options.story = false;
    options.why_not.clear();
    options.progress = {};
    return options;
}

/// explain() speaks of instances by number; here there is only one.
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
    ExplainOptions options = without_parts(options_.explain);
    options.given = version.locks;
    auto found = explain(policy, shown->instance, options);
    if (!found) {
        auto const stuck = why_stuck(policy, *shown->instance, version.locks, options.state_options);
        return Error{ErrorCode::invalid_value, stuck ? *stuck : plain_words(found.error().message)};
    }
    return Plan{version, shown->scale, std::move(shown->note), *std::move(found)};
}

Json Planner::record(Plan const& plan, std::vector<std::string> const& changes,
                     std::optional<Alternatives> probabilities) const {
    Json json;
    if (probabilities) {
        Explanation explanation = plan.explanation;
        std::size_t const step = probabilities->step;
        explanation.steps[step].alternatives = *std::move(probabilities);
        json = records::explanation_json(explanation);
    } else {
        json = records::explanation_json(plan.explanation);
    }
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

Result<Decision> Planner::decision(Plan const& plan, std::size_t step) {
    auto const& steps = plan.explanation.steps;
    if (step >= steps.size()) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("step {} is beyond the end: the plan has {} steps", step + 1, steps.size())};
    }
    Step const& own = steps[step];
    return Decision{0, step, own.choice.state, most_probable(own.log_probs), own.log_probs, own.choice.action};
}

Result<Alternatives> Planner::probabilities(Policy const& policy, Plan const& plan, std::size_t step) const {
    auto const own = decision(plan, step);
    if (!own) return own.error();
    auto const before = std::span(plan.explanation.actions).first(step);
    return alternatives(policy, *own, before, {.mode = PricingMode::policy, .actions = 0});
}

Result<Json> Planner::explained_step(Policy const& policy, Plan const& plan, std::size_t step,
                                     std::shared_ptr<Multipliers const>& multipliers) const {
    ExplainOptions options = options_.explain;
    options.steps = {step};
    options.known_multipliers = multipliers;
    for (auto const& lock : plan.version.locks) {
        if (lock.first < step) options.given.insert(lock);
    }
    auto const found = explain(policy, plan.explanation.instance, options);
    if (!found) return Error{found.error().code, plain_words(found.error().message)};
    if (!multipliers && found->multipliers) multipliers = std::make_shared<Multipliers const>(*found->multipliers);
    return records::explanation_json(*found);
}

Result<Json> Planner::explained_plan(Policy const& policy, Plan const& plan) const {
    if (!plan.version.locks.empty()) {
        return Error{ErrorCode::invalid_value,
                     "a plan in which decisions are insisted on is not the policy's: its story is not told"};
    }
    ExplainOptions options = options_.explain;
    options.steps.clear();
    auto const found = explain(policy, plan.explanation.instance, options);
    if (!found) return Error{found.error().code, plain_words(found.error().message)};
    return records::explanation_json(*found);
}

Result<Json> Planner::comparison(Policy const& policy, Plan const& plan, std::size_t step) const {
    auto const insisted = decision(plan, step);
    if (!insisted) return insisted.error();
    PricingOptions pricing = options_.explain.pricing;
    pricing.actions = 2; // this one, and the policy's favourite
    pricing.seed = options_.explain.seed;
    auto const before = std::span(plan.explanation.actions).first(step);
    auto const priced = alternatives(policy, *insisted, before, pricing, std::span(&plan.explanation.solution, 1));
    if (!priced) return priced.error();
    Instance const& instance = *plan.explanation.instance;
    return Json{{"insisted", side_json(instance, priced->all[insisted->taken()])},
                {"own", side_json(instance, priced->all[insisted->action])}};
}

void put_step(Json& record, Json const& explained, std::size_t step) {
    Json own = explained["steps"][0];
    std::string const from = "/steps/0/";
    for (Json& line : own["lines"]) {
        for (Json& field : line["fields"]) {
            auto const& path = field.get_ref<std::string const&>();
            if (path.starts_with(from)) field = fmt::format("/steps/{}/{}", step, path.substr(from.size()));
        }
    }
    record["steps"][step] = std::move(own);
    for (auto const& item : explained.items()) {
        if (!record.contains(item.key())) record[item.key()] = item.value();
    }
}

} // namespace cax::serve
