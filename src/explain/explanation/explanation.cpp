#include "cax/explain/explanation.hpp"

#include "explanation_parts.hpp"

#include "cax/core/parallel.hpp"
#include "cax/explain/words.hpp"
#include "cax/problems/exchange.hpp"

#include <chrono>
#include <fmt/format.h>
#include <mutex>

namespace cax {
namespace {

/// Runs `work` and notes under `part` how long it took.
template <class Work> auto timed(Json& seconds, char const* part, Work const& work) {
    auto const start = std::chrono::steady_clock::now();
    auto result = work();
    seconds[part] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

Json problem_json(Problem const& problem) {
    ProblemInfo const& info = problem.info();
    Presentation const& presentation = problem.presentation();
    Json families = Json::array();
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        auto const& [label, hint] = presentation.families()[k];
        families.push_back({{"name", info.families[k]}, {"label", label}, {"hint", hint}});
    }
    return {{"name", info.name},
            {"title", info.title},
            {"objective", info.objective == Objective::minimise ? "minimise" : "maximise"},
            {"cost_word", info.cost_word},
            {"node_word", info.node_word},
            {"families", std::move(families)}};
}

Result<Json> solution_json(Presentation const& presentation, Walk const& walk) {
    auto const actions = walk.actions();
    auto const solution = walk.instance->solution_of(actions);
    if (!solution) return solution.error();
    CheckReport const report = walk.instance->check(*solution);
    Json json = {{"cost", report.cost},
                 {"valid", report.valid()},
                 {"violations", report.violations},
                 {"actions", actions},
                 {"drawing", presentation.drawing(*walk.instance, *solution)}};
    json.update(solution_to_json(*walk.instance, *solution));
    return json;
}

Result<void> add_attribution(Explained const& all, std::size_t step, Json& json, std::vector<double>& order) {
    auto const cells = attribute(all.policy, std::span(&all.walk.cells[step], 1), all.options.attributions);
    if (!cells) return cells.error();
    order = cells->front().node_totals();
    json["attribution"] = attribution_json(all, cells->front());
    return {};
}

Result<void> add_counterfactual(Explained const& all, std::size_t step, Json& json) {
    auto const found = answer_counterfactual(all.policy, all.walk, step, all.options.counterfactuals);
    if (!found) return found.error();
    json["counterfactual"] = counterfactual_json(all, *found);
    return {};
}

/// Nodes in the order of the attribution, or as they come if there is none.
Result<void> add_subset(Explained const& all, std::size_t step, std::vector<double> const& scores, Json& json) {
    Cell const& cell = all.walk.cells[step];
    auto const candidates = subset_nodes(*cell.state, all.options.subsets);
    auto const order = scores.empty() ? candidates : order_by_scores(candidates, scores);
    auto const rule = subset_rule(all.options.subsets);
    if (!rule) return rule.error();
    auto const found = sufficient_subset(all.policy, cell, order, all.options.subsets);
    if (!found) return found.error();
    json["subset"] = subset_json(all, *found, *rule);
    return {};
}

Result<Json> explain_step(Explained const& all, std::size_t step) {
    Json seconds = Json::object();
    Json json = timed(seconds, "decision", [&] { return decision_json(all, step); });
    std::vector<double> order;
    if (all.options.attribution) {
        auto ok = timed(seconds, "attribution", [&] { return add_attribution(all, step, json, order); });
        if (!ok) return ok.error();
    }
    if (all.options.counterfactual) {
        auto ok = timed(seconds, "counterfactual", [&] { return add_counterfactual(all, step, json); });
        if (!ok) return ok.error();
    }
    if (all.options.subset) {
        auto ok = timed(seconds, "subset", [&] { return add_subset(all, step, order, json); });
        if (!ok) return ok.error();
    }
    if (!all.options.why_not.empty()) {
        auto part = timed(seconds, "why_not", [&] { return why_not_json(all, step); });
        if (!part) return part.error();
        json["why_not"] = *std::move(part);
    }
    json["sentences"] = step_sentences(problem_json(all.instance().problem()), json);
    json["seconds"] = std::move(seconds);
    return json;
}

Result<Json> explain_steps(Explained const& all, std::vector<std::size_t> const& steps) {
    std::vector<Json> parts(steps.size());
    std::vector<std::optional<Error>> errors(steps.size());
    std::mutex mutex;
    std::size_t finished = 0;
    parallel_for(steps.size(), all.options.threads, [&](std::size_t i, std::size_t) {
        auto part = explain_step(all, steps[i]);
        if (part)
            parts[i] = *std::move(part);
        else
            errors[i] = part.error();
        std::scoped_lock const lock(mutex);
        if (all.options.progress) all.options.progress(++finished, steps.size());
    });
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (errors[i]) return errors[i]->within(fmt::format("step {}", steps[i]));
    }
    return Json(std::move(parts));
}

/// The asked-for steps, or all of them.
Result<std::vector<std::size_t>> chosen_steps(ExplainOptions const& options, std::size_t count) {
    std::vector<std::size_t> steps = options.steps;
    for (std::size_t step = 0; options.steps.empty() && step < count; ++step) steps.push_back(step);
    for (std::size_t const step : steps) {
        if (step < count) continue;
        return Error{ErrorCode::invalid_value,
                     fmt::format("step {} is beyond the end: the episode has {} steps, counted from 0", step, count)};
    }
    return steps;
}

} // namespace

ExplainOptions::ExplainOptions() {
    counterfactuals.refine = true;
    counterfactuals.certification.mode = Certification::prefix;
}

Result<Json> explain(Policy const& policy, InstancePtr const& instance, ExplainOptions const& given) {
    ExplainOptions options = given;
    options.counterfactuals.search.perturbation.seed = options.seed;
    options.subsets.seed = options.seed;
    Presentation const& presentation = instance->problem().presentation();
    Json seconds = Json::object();

    auto const walks = timed(seconds, "walk", [&] { return walk(policy, std::span(&instance, 1)); });
    if (!walks) return walks.error();
    Walk const& walked = walks->front();
    auto const steps = chosen_steps(options, walked.cells.size());
    if (!steps) return steps.error();
    auto solution = solution_json(presentation, walked);
    if (!solution) return solution.error();

    std::optional<Multipliers> multipliers;
    if (options.attribution) {
        auto computed =
            timed(seconds, "multipliers", [&] { return compute_multipliers(*instance, options.multipliers); });
        if (!computed) return computed.error();
        multipliers = *std::move(computed);
    }
    Explained const all{policy, walked, presentation, options, multipliers ? &*multipliers : nullptr};
    auto explained = timed(seconds, "steps", [&] { return explain_steps(all, *steps); });
    if (!explained) return explained.error();

    Json json = {{"problem", problem_json(instance->problem())},
                 {"instance",
                  {{"name", instance->name()}, {"size", instance->size()}, {"description", instance->description()}}},
                 {"scene", presentation.scene(*instance)},
                 {"solution", *std::move(solution)},
                 {"steps", *std::move(explained)},
                 {"seconds", std::move(seconds)}};
    if (multipliers) json.update(multipliers_json(instance->problem().info(), *multipliers));
    return json;
}

} // namespace cax
