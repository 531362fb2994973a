#include "cax/explain/explanation.hpp"

#include "explanation/lines.hpp"
#include "explanation/parts.hpp"
#include "explanation/story.hpp"
#include "explanation/words.hpp"

#include "cax/core/parallel.hpp"
#include "cax/problems/exchange.hpp"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <mutex>

namespace cax {
namespace {

/// Runs `work` and notes under `part` how long it took.
template <class Work> auto timed(std::vector<PartSeconds>& seconds, char const* part, Work const& work) {
    auto const start = std::chrono::steady_clock::now();
    auto result = work();
    std::chrono::duration<double> const spent = std::chrono::steady_clock::now() - start;
    seconds.push_back({part, spent.count()});
    return result;
}

/// Puts what was found into its place, or passes the error on.
template <class Part> Result<void> take(std::optional<Part>& place, Result<Part>& found) {
    if (!found) return found.error();
    place = *std::move(found);
    return {};
}

/// By which nodes are ordered: the attribution's, or without gradients that of occlusion, which needs none.
Result<std::vector<double>> scores_for_subset(Explaining const& all, std::size_t step,
                                              std::optional<ScoredAttribution> const& attribution) {
    if (!attribution) return std::vector<double>{};
    if (attribution->cell.status != AttributionStatus::no_gradients) return attribution->cell.node_totals();
    AttributionOptions options = all.options.attributions;
    options.method = AttributionMethod::occlusion;
    options.fidelity.mass = MassKind::entry;
    auto const found = attribute(all.policy, std::span(&all.walk.cells[step], 1), options);
    if (!found) return found.error();
    return found->front().node_totals();
}

Result<Step> explain_step(Explaining const& all, std::size_t number) {
    std::vector<PartSeconds> seconds;
    ExplainOptions const& options = all.options;
    Step step = timed(seconds, "decision", [&] { return decided_step(all, number); });
    if (options.attribution) {
        auto found = timed(seconds, "attribution", [&] { return explain_attribution(all, number); });
        if (auto ok = take(step.attribution, found); !ok) return ok.error();
    }
    if (options.counterfactual) {
        auto found = timed(seconds, "counterfactual",
                           [&] { return explain_counterfactual(all, number, options.counterfactuals); });
        if (auto ok = take(step.counterfactual, found); !ok) return ok.error();
    }
    if (options.subset) {
        auto found = timed(seconds, "subset", [&]() -> Result<StepSubset> {
            auto const scores = scores_for_subset(all, number, step.attribution);
            if (!scores) return scores.error();
            return explain_subset(all, number, *scores);
        });
        if (auto ok = take(step.subset, found); !ok) return ok.error();
    }
    if (!options.why_not.empty()) {
        auto found = timed(seconds, "why_not", [&] { return explain_why_not(all, number); });
        if (auto ok = take(step.why_not, found); !ok) return ok.error();
    }
    if (options.swap) {
        auto found = timed(seconds, "swap", [&] { return explain_swap(all, number); });
        if (auto ok = take(step.swap, found); !ok) return ok.error();
    }
    if (options.sensitivity) {
        auto found = timed(seconds, "sensitivity", [&] { return explain_sensitivity(all, number); });
        if (auto ok = take(step.sensitivity, found); !ok) return ok.error();
    }
    if (options.forbidden) {
        auto found = timed(seconds, "forbidden", [&] { return explain_forbidden(all, number); });
        if (auto ok = take(step.forbidden, found); !ok) return ok.error();
    }
    if (options.alternatives) {
        auto found = timed(seconds, "alternatives", [&] { return explain_alternatives(all, number); });
        if (auto ok = take(step.alternatives, found); !ok) return ok.error();
    }
    if (options.thumb) step.thumb = thumb(all.walk.cells[number]);
    step.sentences = step_sentences({all.info(), all.presentation.families()}, step);
    step.seconds = std::move(seconds);
    return step;
}

Result<std::vector<Step>> explain_steps(Explaining const& all, std::vector<std::size_t> const& numbers) {
    std::vector<Step> steps(numbers.size());
    std::vector<std::optional<Error>> errors(numbers.size());
    std::mutex mutex;
    std::size_t finished = 0;
    parallel_for(numbers.size(), all.options.threads, [&](std::size_t i, std::size_t) {
        auto step = explain_step(all, numbers[i]);
        if (step)
            steps[i] = *std::move(step);
        else
            errors[i] = step.error();
        std::scoped_lock const lock(mutex);
        if (all.options.progress) all.options.progress(++finished, numbers.size());
    });
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (errors[i]) return errors[i]->within(fmt::format("step {}", numbers[i] + 1));
    }
    return steps;
}

/// The asked-for steps, or all of them.
Result<std::vector<std::size_t>> chosen_steps(ExplainOptions const& options, std::size_t count) {
    std::vector<std::size_t> steps = options.steps;
    std::size_t const first = options.first_steps == 0 ? count : std::min(count, options.first_steps);
    for (std::size_t step = 0; options.steps.empty() && step < first; ++step) steps.push_back(step);
    for (std::size_t const step : steps) {
        if (step < count) continue;
        return Error{ErrorCode::invalid_value,
                     fmt::format("step {} is beyond the end: the episode has {} steps", step + 1, count)};
    }
    return steps;
}

/// Along a given plan. Where it waits, so may the policy.
Result<Walk> walk_plan(Policy const& policy, InstancePtr const& instance, Walk const& own, ExplainOptions& options,
                       GivenReport& report) {
    GivenPlan const& plan = *options.plan;
    CheckReport const check = instance->check(plan.solution);
    if (!check.valid()) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("the plan {} is not valid: {}", plan.whose, check.violations.front())};
    }
    std::vector<std::size_t> actions = plan.actions;
    if (actions.empty()) {
        auto found = actions_of(*instance, plan.solution, own.actions());
        if (!found) return found.error().within("the plan " + plan.whose);
        actions = *std::move(found);
    }
    if (!replay(*instance, actions, options.state_options)) {
        StateOptions waiting = options.state_options;
        waiting.allow_waiting = true;
        report.waits = replay(*instance, actions, waiting).has_value();
        if (report.waits) options.state_options = waiting;
    }
    auto led = walk_along(policy, instance, actions, options.state_options);
    if (!led) return led.error().within("the plan " + plan.whose);
    if (!led->finished) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("the plan {}: its {} actions do not finish the instance", plan.whose, actions.size())};
    }
    return led;
}

/// The policy's own walk, or one along the plan that is given.
Result<Walk> walk_to_explain(Policy const& policy, InstancePtr const& instance, ExplainOptions& options,
                             Explanation& result) {
    auto walks = walk(policy, std::span(&instance, 1), {.state = options.state_options, .given = options.given});
    if (!walks) return walks.error();
    Walk own = std::move(walks->front());
    if (options.plan) {
        GivenReport report;
        report.whose = options.plan->whose;
        auto led = walk_plan(policy, instance, own, options, report);
        if (!led) return led.error();
        auto const solution = instance->solution_of(own.actions());
        if (!solution) return solution.error();
        report.policy_cost = instance->check(*solution).cost;
        double const cost = instance->check(options.plan->solution).cost;
        if (report.policy_cost != 0) report.gap = (cost - report.policy_cost) / std::fabs(report.policy_cost);
        result.given = std::move(report);
        own = *std::move(led);
    }
    options.counterfactuals.search.state_options = options.state_options;
    return own;
}

/// The question gets teeth: not whether the new action can be completed somehow, but as well as the plan was.
void bound_by_plan(Instance const& instance, Explanation const& so_far, ExplainOptions& options) {
    CertificationOptions& certification = options.counterfactuals.certification;
    bool const open = certification.mode == Certification::prefix && !certification.bound;
    if (!open || !options.plan_slack || !so_far.report.valid()) return;
    ProblemInfo const& info = instance.problem().info();
    if (info.bound_is_cost) {
        double const sign = info.objective == Objective::minimise ? 1 : -1;
        certification.bound = so_far.report.cost * (1 + sign * *options.plan_slack);
    } else if (auto const* const routes = std::get_if<Routes>(&so_far.solution)) {
        certification.bound = static_cast<double>(routes->routes.size());
    }
}

/// What a search found after one step is a completion of that step's action, too: prices never contradict each other
/// along the plan. Going back from the end.
void settle_prices(std::vector<Step>& steps, Objective objective) {
    auto const better = [&](double a, double b) { return objective == Objective::minimise ? a < b : a > b; };
    for (std::size_t i = steps.size(); i-- > 1;) {
        if (!steps[i].alternatives || !steps[i - 1].alternatives || steps[i].step != steps[i - 1].step + 1) continue;
        Alternative& chosen = steps[i - 1].alternatives->all[steps[i - 1].alternatives->chosen];
        for (Alternative const& next : steps[i].alternatives->all) {
            if (!next.cost || next.status >= CostStatus::policy || chosen.status == CostStatus::proved) continue;
            if (chosen.cost && chosen.status < CostStatus::policy && !better(*next.cost, *chosen.cost)) continue;
            chosen.cost = next.cost;
            chosen.solution = next.solution;
            if (chosen.status >= CostStatus::policy) chosen.status = CostStatus::search;
        }
    }
}

} // namespace

ExplainOptions::ExplainOptions() {
    state_options.encode_once = true;
    counterfactuals.refine = true;
    counterfactuals.finder = FlipSearch::guided;
    counterfactuals.certification.mode = Certification::prefix;
}

Result<Explanation> explain(Policy const& policy, InstancePtr const& instance, ExplainOptions const& given) {
    ExplainOptions options = given;
    options.counterfactuals.search.perturbation.seed = options.seed;
    options.subsets.seed = options.seed;
    Explanation result;
    result.instance = instance;
    auto const walked =
        timed(result.seconds, "walk", [&] { return walk_to_explain(policy, instance, options, result); });
    if (!walked) return walked.error();
    auto const numbers = chosen_steps(options, walked->cells.size());
    if (!numbers) return numbers.error();
    result.actions = walked->actions();
    auto solution = instance->solution_of(result.actions);
    if (!solution) return solution.error();
    result.solution = *std::move(solution);
    result.report = instance->check(result.solution);

    if (options.attribution) {
        auto found = timed(result.seconds, "multipliers", [&]() -> Result<Multipliers> {
            if (options.known_multipliers) return *options.known_multipliers;
            return compute_multipliers(*instance, options.multipliers);
        });
        if (auto ok = take(result.multipliers, found); !ok) return ok.error();
    }
    bound_by_plan(*instance, result, options);
    bool const whole = options.story && options.steps.empty() && options.first_steps == 0;
    if (whole) {
        auto found = timed(result.seconds, "best_known", [&] { return best_known_plan(*instance, result, options); });
        if (!found) return found.error();
        result.best_known = *std::move(found);
    }
    std::vector<Solution> known{result.solution};
    if (result.best_known) known.push_back(result.best_known->solution);
    Explaining const all{policy,
                         *walked,
                         instance->problem().presentation(),
                         options,
                         result.multipliers ? &*result.multipliers : nullptr,
                         result.actions,
                         known};
    auto steps = timed(result.seconds, "steps", [&] { return explain_steps(all, *numbers); });
    if (!steps) return steps.error();
    result.steps = *std::move(steps);
    settle_prices(result.steps, all.info().objective);
    StepWords const words{all.info(), all.presentation.families()};
    for (Step& step : result.steps) step.lines = step_lines(words, step);
    if (whole) {
        improve_best_known(result, options);
        result.thumb = thumb_story(*walked);
        result.plan = summary_of(result);
        result.story = tell_story(words, result);
    }
    return result;
}

} // namespace cax
