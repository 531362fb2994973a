// What stands out in a plan, and a plan to compare it with.
#include "explanation/story.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/questions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax {
namespace {

/// How far ahead the chosen action was; infinite if it was the only one.
double lead_of(Step const& step) {
    if (step.forced()) return std::numeric_limits<double>::infinity();
    return std::fabs(*step.choice.probability - *step.runner_up->probability);
}

double regret_of(Step const& step) {
    if (!step.alternatives) return 0;
    return step.alternatives->all[step.alternatives->chosen].regret.value_or(0);
}

/// A better plan is known for another action than for the chosen one, but nothing is proved.
bool has_better_found(Step const& step, Objective objective) {
    if (!step.alternatives) return false;
    Alternatives const& table = *step.alternatives;
    Alternative const& chosen = table.all[table.chosen];
    if (!chosen.cost || chosen.regret || chosen.status == CostStatus::policy) return false;
    double const tolerance = 1e-6 * std::fabs(*chosen.cost);
    return std::ranges::any_of(table.all, [&](Alternative const& each) {
        if (!each.cost || each.status == CostStatus::policy) return false;
        double const gain = objective == Objective::minimise ? *chosen.cost - *each.cost : *each.cost - *chosen.cost;
        return gain > tolerance;
    });
}

/// The family whose wrong data upset the decision most often, over all sizes, and how often.
std::pair<std::size_t, double> most_upsetting(Sensitivity const& found) {
    auto const most = std::ranges::max_element(found.families, {}, &FamilySensitivity::flip_rate);
    return {static_cast<std::size_t>(most - found.families.begin()), most->flip_rate};
}

void note_sensitivity(Step const& step, std::size_t place, PlanSummary& plan) {
    if (!step.sensitivity || step.sensitivity->found.families.empty()) return;
    auto const [family, rate] = most_upsetting(step.sensitivity->found);
    if (rate == 0) ++plan.firm;
    if (rate >= fragile_part) plan.fragile_steps.push_back(place);
    if (rate == 0 || (plan.fragile_rate && rate <= *plan.fragile_rate)) return;
    plan.fragile = place;
    plan.fragile_rate = rate;
    plan.fragile_family = family;
}

/// The rule has hardly anything left.
bool is_tight(Slack const& slack) {
    bool const measured = std::isfinite(slack.limit) && std::isfinite(slack.slack) && slack.limit > 0;
    return measured && slack.used > 0 && slack.slack <= tight_part * slack.limit;
}

/// When each family's rule first became tight. What is tight at most steps (an operation starts when its machine is
/// free, no later) is no news.
std::vector<TightRule> tight_rules(std::vector<Step> const& steps, std::size_t families) {
    std::vector<TightRule> tight;
    for (std::size_t family = 0; family < families; ++family) {
        std::size_t count = 0;
        std::optional<TightRule> first;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            auto const found = std::ranges::find_if(
                steps[i].slacks, [&](Slack const& slack) { return slack.family == family && is_tight(slack); });
            if (found == steps[i].slacks.end()) continue;
            ++count;
            if (!first) first = TightRule{i, *found};
        }
        if (first && 2 * count <= steps.size()) tight.push_back(*std::move(first));
    }
    std::ranges::stable_sort(tight, {}, &TightRule::step);
    return tight;
}

bool is_better(Instance const& instance, double a, double b) {
    return instance.problem().info().objective == Objective::minimise ? a < b : a > b;
}

/// How far the policy's plan is from the best one, and where they part.
void lay_beside(BestKnown& best, Explanation const& own, ExplainOptions const& options) {
    Instance const& instance = *own.instance;
    double const worse = std::fabs(own.report.cost - best.cost);
    best.gap = best.cost != 0 && is_better(instance, best.cost, own.report.cost) ? worse / std::fabs(best.cost) : 0;
    best.parts_at.reset();
    best.instead.clear();
    auto const actions = actions_of(instance, best.solution, own.actions);
    bool const as_good = best.gap == 0 && own.report.valid();
    if (!actions || as_good) return; // no episode makes it, or there is nothing to learn from it
    StatePtr const state = instance.reset(options.state_options);
    for (std::size_t t = 0; t < std::min(actions->size(), own.actions.size()); ++t) {
        if ((*actions)[t] != own.actions[t]) {
            best.parts_at = t;
            best.instead_action = (*actions)[t];
            best.instead = describe_action(*state, (*actions)[t]);
            return;
        }
        state->step((*actions)[t]);
    }
}

} // namespace

Result<std::optional<BestKnown>> best_known_plan(Instance const& instance, Explanation const& so_far,
                                                 ExplainOptions const& options) {
    if (instance.problem().questions() == nullptr || options.story_work == 0) {
        return std::optional<BestKnown>();
    }
    SearchOptions search_options;
    search_options.seconds = std::numeric_limits<double>::infinity();
    search_options.iterations = options.story_work;
    search_options.seed = options.seed;
    auto found = search(instance, search_options);
    bool const broken = !so_far.report.valid();
    if (!found && broken && found.error().code == ErrorCode::unsupported) return std::optional<BestKnown>();
    if (!found) return found.error();
    BestKnown best;
    best.solution = found->solution;
    best.cost = found->cost;
    best.bound = found->lower_bound;
    best.status = found->optimal ? CostStatus::proved : found->lower_bound ? CostStatus::bounded : CostStatus::search;
    if (!broken && !is_better(instance, best.cost, so_far.report.cost)) { // a policy may win
        best.solution = so_far.solution;
        best.cost = so_far.report.cost;
    }
    lay_beside(best, so_far, options);
    return std::optional(std::move(best));
}

void improve_best_known(Explanation& explanation, ExplainOptions const& options) {
    if (!explanation.best_known) return;
    BestKnown& best = *explanation.best_known;
    for (Step const& step : explanation.steps) {
        if (!step.alternatives) continue;
        for (Alternative const& each : step.alternatives->all) {
            if (!each.cost || !each.solution || !is_better(*explanation.instance, *each.cost, best.cost)) continue;
            best.cost = *each.cost;
            best.solution = *each.solution;
        }
    }
    lay_beside(best, explanation, options);
}

PlanSummary summary_of(Explanation const& explanation) {
    Objective const objective = explanation.instance->problem().info().objective;
    auto const& steps = explanation.steps;
    PlanSummary plan;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        Step const& step = steps[i];
        ++(step.forced() ? plan.forced : plan.decisions);
        if (lead_of(step) < close_call_lead) plan.close_calls.push_back(i);
        if (regret_of(step) > 0) plan.costly.push_back(i);
        if (step.counterfactual && step.counterfactual->odd) plan.odd.push_back(i);
        if (step.differs()) plan.differing.push_back(i);
        if (has_better_found(step, objective)) plan.better_found.push_back(i);
        note_sensitivity(step, i, plan);
        if (step.forbidden && std::ranges::any_of(*step.forbidden, [](auto const& each) {
                return each.what.probability >= notable_favourite;
            })) {
            if (!plan.blocked) plan.blocked = i;
            ++plan.blocked_steps;
        }
    }
    plan.tight = tight_rules(steps, explanation.instance->problem().info().families.size());
    std::ranges::stable_sort(plan.close_calls, {}, [&](std::size_t i) { return lead_of(steps[i]); });
    std::ranges::stable_sort(plan.costly, std::greater{}, [&](std::size_t i) { return regret_of(steps[i]); });
    std::ranges::stable_sort(plan.fragile_steps, std::greater{},
                             [&](std::size_t i) { return most_upsetting(steps[i].sensitivity->found).second; });
    if (!plan.costly.empty()) plan.regret = regret_of(steps[plan.costly.front()]);
    return plan;
}

} // namespace cax
