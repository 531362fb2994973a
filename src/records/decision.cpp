#include "cax/records/decision.hpp"

#include "cax/explain/price.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/records/parts.hpp"

namespace cax::records {

Json slack_json(ProblemInfo const& info, Slack const& slack) {
    return {{"family", info.families[slack.family]},
            {"rule", slack.rule},
            {"used", number(slack.used)},
            {"limit", number(slack.limit)},
            {"slack", number(slack.slack)}};
}

/// With whether any number could make it otherwise.
static Json broken_json(ProblemInfo const& info, Slack const& slack) {
    Json json = slack_json(info, slack);
    json["by_nature"] = slack.by_nature;
    return json;
}

Json slacks_json(ProblemInfo const& info, std::vector<Slack> const& slacks) {
    Json list = Json::array();
    for (Slack const& each : slacks) list.push_back(slack_json(info, each));
    return list;
}

Json swap_json(ProblemInfo const& info, StepSwap const& part) {
    Swap const& swap = part.swap;
    bool const computed = swap.status == SwapStatus::computed;
    return {{"status", name_of(swap.status)},
            {"other", count(swap.other)},
            {"other_words", swap.other ? Json(part.other_words) : Json(nullptr)},
            {"other_is_runner_up", swap.other_is_runner_up},
            {"margin", computed ? number(swap.margin) : Json(nullptr)},
            {"families", computed ? by_family(info, swap.phi) : Json(nullptr)},
            {"single", computed ? by_family(info, swap.single) : Json(nullptr)},
            {"top", family_name(info, swap.top())},
            {"forward_passes", swap.forward_passes}};
}

Json sensitivity_json(ProblemInfo const& info, StepSensitivity const& part) {
    Sensitivity const& found = part.found;
    Json families = Json::object();
    for (std::size_t k = 0; k < found.families.size(); ++k) {
        FamilySensitivity const& each = found.families[k];
        families[std::string(info.families[k])] = {
            {"score", each.score},
            {"error", each.error},
            {"share", each.share},
            {"flip_rate", each.flip_rate},
            {"flip_error", each.flip_error},
            {"flip_rate_by_size", each.flip_rate_by_size},
            {"asked", each.asked},
            {"dropped", each.dropped},
            {"percentile", part.percentiles.empty() ? Json(nullptr) : number(part.percentiles[k])}};
    }
    return {{"status", name_of(found.status)},
            {"sizes", found.sizes},
            {"shots", found.shots},
            {"pool", found.pool},
            {"families", std::move(families)},
            {"unusual", family_name(info, part.unusual)},
            {"forward_passes", found.forward_passes}};
}

Json forbidden_json(ProblemInfo const& info, std::vector<StepForbidden> const& forbidden) {
    Json list = Json::array();
    for (StepForbidden const& each : forbidden) {
        Json json = slack_json(info, each.what.rule);
        json["action"] = each.what.action;
        json["words"] = each.words;
        json["probability"] = each.what.probability;
        list.push_back(std::move(json));
    }
    return list;
}

Json alternatives_json(ProblemInfo const& info, Alternatives const& alternatives) {
    Json list = Json::array();
    for (Alternative const& each : alternatives.all) {
        list.push_back({{"action", each.action},
                        {"words", each.words},
                        {"allowed", each.allowed},
                        {"spent", each.spent},
                        {"forbidden_by", each.forbidden_by ? broken_json(info, *each.forbidden_by) : Json(nullptr)},
                        {"probability", each.probability},
                        {"extra", number(each.extra)},
                        {"start", number(each.start)},
                        {"end", number(each.end)},
                        {"slacks", slacks_json(info, each.slacks)},
                        {"cost", number(each.cost)},
                        {"cost_status", name_of(each.status)},
                        {"impossible", each.impossible},
                        {"bound", number(each.bound)},
                        {"policy_cost", number(each.policy_cost)},
                        {"regret", number(each.regret)},
                        {"worse_by", number(worse_by(alternatives, each, info.objective))}});
    }
    return list;
}

Json price_json(ProblemInfo const& info, Alternatives const& alternatives) {
    auto const price = price_of_choice(alternatives, info.objective);
    if (!price) return nullptr;
    return {{"given_away", price->given_away},
            {"status", name_of(price->status)},
            {"instead", price->instead},
            {"instead_words", alternatives.all[price->instead].words}};
}

Json thumb_json(Problem const& problem, Thumb const& thumb) {
    Json json = Json::object();
    auto const rules = rules_of_thumb(problem);
    for (std::size_t r = 0; r < thumb.rules.size(); ++r) json[std::string(rules[r].name)] = thumb.rules[r].agrees;
    return json;
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
            {"costly", plan.costly},
            {"costly_steps", plan.costly.size()},
            {"regret", number(plan.regret)},
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
