// What stands out in a plan, and a plan to compare it with.
#include "explanation/story.hpp"

#include "cax/core/same_cost.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/questions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax {
namespace {

bool is_better(Objective objective, double a, double b) {
    return !same_cost(a, b) && (objective == Objective::minimise ? a < b : a > b);
}
bool is_better(Instance const& instance, double a, double b) {
    return is_better(instance.problem().info().objective, a, b);
}

double regret_of(Step const& step) {
    if (!step.of<parts::Alternatives>()) return 0;
    return step.of<parts::Alternatives>()->all[step.of<parts::Alternatives>()->chosen].regret.value_or(0);
}

/// A better plan is known for another action than for the chosen one, but nothing is proved.
bool has_better_found(Step const& step, Objective objective) {
    if (!step.of<parts::Alternatives>()) return false;
    Alternatives const& table = *step.of<parts::Alternatives>();
    Alternative const& chosen = table.all[table.chosen];
    if (!chosen.cost || chosen.regret || chosen.status == CostStatus::policy) return false;
    return std::ranges::any_of(table.all, [&](Alternative const& each) {
        if (!each.cost || each.status == CostStatus::policy) return false;
        return is_better(objective, *each.cost, *chosen.cost);
    });
}

/// The family whose wrong data upset the decision most often, over all sizes, and how often.
std::pair<std::size_t, double> most_upsetting(Sensitivity const& found) {
    auto const most = std::ranges::max_element(found.families, {}, &FamilySensitivity::flip_rate);
    return {static_cast<std::size_t>(most - found.families.begin()), most->flip_rate};
}

void note_sensitivity(Step const& step, std::size_t place, PlanSummary& plan) {
    if (!step.of<parts::Sensitivity>() || step.of<parts::Sensitivity>()->found.families.empty()) return;
    Sensitivity const& found = step.of<parts::Sensitivity>()->found;
    auto const [family, rate] = most_upsetting(found);
    if (rate == 0) ++plan.firm;
    if (found.families[family].flip_interval.low <= fragile_part) return;
    plan.fragile_steps.push_back(place);
    if (plan.fragile_rate && rate <= *plan.fragile_rate) return;
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

/// Decisions by their regrets, which add up to the gap.
void note_regrets(PlanRegret const& regret, PlanSummary& plan) {
    plan.costly = regret.ranking();
    plan.better_found.clear();
    for (std::size_t k = 0; k < plan.costly.size(); ++k) {
        double const cost = regret.decisions[plan.costly[k]].estimate;
        (k < most_named_costs ? plan.named_cost : plan.other_cost) += cost;
    }
    plan.costless = static_cast<std::size_t>(std::ranges::count_if(
        regret.decisions, [](DecisionRegret const& each) { return each.is_proved() && each.estimate <= 0; }));
    plan.regret.reset();
    if (!plan.costly.empty()) plan.regret = regret.decisions[plan.costly.front()].estimate;
}

/// Every alternative has a proved completion cost, so that one can say whether another would have been better.
bool is_compared(Step const& step) {
    auto const& table = step.of<parts::Alternatives>();
    return table && table->all[table->chosen].regret && std::ranges::all_of(table->all, [](Alternative const& each) {
        return !each.allowed || each.impossible || each.status == CostStatus::proved;
    });
}

/// How far the plan is from the best one, and where they part.
void compare_with_best(BestKnown& best, ExplanationContext const& context) {
    Instance const& instance = context.instance();
    double const worse = std::fabs(context.report.cost - best.cost);
    best.gap = best.cost != 0 && is_better(instance, best.cost, context.report.cost) ? worse / std::fabs(best.cost) : 0;
    best.parts_at.reset();
    best.instead.clear();
    auto const actions = actions_of(instance, best.solution, context.actions);
    bool const as_good = best.gap == 0 && context.report.valid();
    if (!actions || as_good) return; // no episode makes it, or there is nothing to learn from it
    for (std::size_t t = 0; t < std::min(actions->size(), context.actions.size()); ++t) {
        if ((*actions)[t] == context.actions[t]) continue;
        best.parts_at = t;
        best.instead_action = (*actions)[t];
        best.instead = describe_action(*context.decision(t).state, (*actions)[t]);
        return;
    }
}

/// The exact method's plan.
BestKnown best_of_regret(ExplanationContext const& context) {
    PlanRegret const& found = *context.regret;
    BestKnown best;
    best.solution = found.best.solution;
    best.cost = found.best.cost;
    best.bound = found.bound;
    best.status = found.optimal ? CostStatus::proved : found.bound ? CostStatus::bounded : CostStatus::search;
    compare_with_best(best, context);
    return best;
}

} // namespace

Result<std::optional<BestKnown>> best_known_plan(ExplanationContext const& context) {
    if (context.regret) return std::optional(best_of_regret(context));
    Instance const& instance = context.instance();
    std::uint64_t const work = context.options.of<parts::Story>().work;
    if (instance.problem().questions() == nullptr || work == 0) return std::optional<BestKnown>();
    SearchOptions search_options;
    search_options.seconds = std::numeric_limits<double>::infinity();
    search_options.iterations = work;
    search_options.seed = context.options.seed;
    auto found = search(instance, search_options);
    bool const broken = !context.report.valid();
    if (!found && broken && found.error().code == ErrorCode::unsupported) return std::optional<BestKnown>();
    if (!found) return found.error();
    BestKnown best;
    best.solution = found->solution;
    best.cost = found->cost;
    best.bound = found->lower_bound;
    best.status = found->optimal ? CostStatus::proved : found->lower_bound ? CostStatus::bounded : CostStatus::search;
    if (!broken && !is_better(instance, best.cost, context.report.cost)) { // a policy may win
        best.solution = context.solution;
        best.cost = context.report.cost;
    }
    compare_with_best(best, context);
    return std::optional(std::move(best));
}

void improve_best_known(Explanation& explanation, ExplanationContext const& context) {
    if (!explanation.best_known) return;
    BestKnown& best = *explanation.best_known;
    for (Step const& step : explanation.steps) {
        if (!step.of<parts::Alternatives>()) continue;
        for (Alternative const& each : step.of<parts::Alternatives>()->all) {
            if (!each.cost || !each.solution || !is_better(*explanation.instance, *each.cost, best.cost)) continue;
            best.cost = *each.cost;
            best.solution = *each.solution;
        }
    }
    compare_with_best(best, context);
}

PlanSummary summary_of(Explanation const& explanation) {
    Objective const objective = explanation.instance->problem().info().objective;
    auto const& steps = explanation.steps;
    PlanSummary plan;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        Step const& step = steps[i];
        ++(step.forced() ? plan.forced : plan.decisions);
        if (is_close_call(step)) plan.close_calls.push_back(i);
        if (is_tie(step)) plan.ties.push_back(i);
        if (regret_of(step) > 0) plan.costly.push_back(i);
        if (is_compared(step)) ++plan.compared;
        if (step.of<parts::Counterfactual>() && step.of<parts::Counterfactual>()->odd) plan.odd.push_back(i);
        if (step.differs()) plan.differing.push_back(i);
        if (has_better_found(step, objective)) plan.better_found.push_back(i);
        note_sensitivity(step, i, plan);
        if (step.of<parts::Forbidden>() && std::ranges::any_of(*step.of<parts::Forbidden>(), [](auto const& each) {
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
                             [&](std::size_t i) { return most_upsetting(steps[i].of<parts::Sensitivity>()->found).second; });
    if (!plan.costly.empty()) plan.regret = regret_of(steps[plan.costly.front()]);
    if (explanation.regret) note_regrets(*explanation.regret, plan);
    return plan;
}

} // namespace cax
