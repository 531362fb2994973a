#include "cax/records/decision.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/records/parts.hpp"

#include <algorithm>

namespace cax::records {

Json slack_json(ProblemInfo const& info, Slack const& slack) {
    return {{"family", info.families[slack.family]},
            {"rule", slack.rule},
            {"used", number(slack.used)},
            {"limit", number(slack.limit)},
            {"slack", number(slack.slack)}};
}

Json slacks_json(ProblemInfo const& info, std::vector<Slack> const& slacks) {
    Json list = Json::array();
    for (Slack const& each : slacks) list.push_back(slack_json(info, each));
    return list;
}

Json thumb_story_json(ThumbStory const& story) {
    Json rules = Json::array();
    for (ThumbRecord const& each : story.rules) {
        rules.push_back({{"name", each.rule.name},
                         {"words", each.rule.words},
                         {"agreed", each.agreed},
                         {"decisions", each.decisions},
                         {"rate", each.rate()},
                         {"chance", each.chance},
                         {"departures", each.departures}});
    }
    auto const best = story.best();
    return {{"rules", std::move(rules)}, {"best", best ? Json(story.rules[*best].rule.name) : Json(nullptr)}};
}

Json plan_json(ProblemInfo const& info, PlanSummary const& plan) {
    Json tight = Json::array();
    for (TightRule const& each : plan.tight) {
        Json json = slack_json(info, each.slack);
        json["step"] = each.step;
        tight.push_back(std::move(json));
    }
    return {{"decisions", plan.decisions},
            {"forced", plan.forced},
            {"close_calls", plan.close_calls},
            {"close_call_steps", plan.close_calls.size()},
            {"ties", plan.ties},
            {"tie_steps", plan.ties.size()},
            {"costly", plan.costly},
            {"costly_steps", plan.costly.size()},
            {"costly_named", std::min(plan.costly.size(), most_named_costs)},
            {"costly_others", plan.costly.size() - std::min(plan.costly.size(), most_named_costs)},
            {"regret", number(plan.regret)},
            {"named_cost", plan.named_cost},
            {"other_cost", plan.other_cost},
            {"costless", plan.costless},
            {"compared", plan.compared},
            {"better_found", plan.better_found},
            {"better_found_steps", plan.better_found.size()},
            {"fragile", count(plan.fragile)},
            {"fragile_rate", number(plan.fragile_rate)},
            {"fragile_family", family_name(info, plan.fragile_family)},
            {"fragile_steps", plan.fragile_steps},
            {"fragile_count", plan.fragile_steps.size()},
            {"firm", plan.firm},
            {"tight", std::move(tight)},
            {"odd", plan.odd},
            {"odd_steps", plan.odd.size()},
            {"differing", plan.differing},
            {"differing_steps", plan.differing.size()},
            {"blocked", count(plan.blocked)},
            {"blocked_steps", plan.blocked_steps}};
}

Json best_known_json(Instance const& instance, BestKnown const& best) {
    return {{"cost", best.cost},
            {"status", name_of(best.status)},
            {"lower_bound", number(best.bound)},
            {"gap", best.gap},
            {"parts_at", count(best.parts_at)},
            {"instead", best.parts_at ? Json(best.instead) : Json(nullptr)},
            {"instead_action", best.parts_at ? Json(best.instead_action) : Json(nullptr)},
            {"solution", solution_to_json(instance, best.solution)},
            {"drawing", instance.problem().presentation().drawing(instance, best.solution)}};
}

Json line_json(Sentence const& sentence, std::string const& at) {
    Json fields = Json::array();
    for (Quote const& each : sentence.fields) fields.push_back(at + each.field);
    return {{"text", sentence.text},
            {"evidence", name_of(sentence.evidence)},
            {"about", name_of(sentence.about)},
            {"fields", std::move(fields)}};
}

} // namespace cax::records
