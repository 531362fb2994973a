#include "parts/part_records.hpp"

#include "cax/explain/price.hpp"
#include "cax/records/decision.hpp"
#include "cax/records/parts.hpp"

namespace cax::records {
namespace {

/// With whether any number could make it otherwise.
Json broken_json(ProblemInfo const& info, Slack const& slack) {
    Json json = slack_json(info, slack);
    json["by_nature"] = slack.by_nature;
    return json;
}

Json price_json(ProblemInfo const& info, Alternatives const& alternatives) {
    auto const price = price_of_choice(alternatives, info.objective);
    if (!price) return nullptr;
    return {{"given_away", number(price->given_away)},
            {"interval", {price->at_least, number(price->at_most)}},
            {"found", price->found},
            {"status", name_of(price->status)},
            {"compared", price->compared},
            {"allowed", price->allowed},
            {"instead", price->instead},
            {"instead_words", alternatives.all[price->instead].words}};
}

} // namespace

template <>
Json PartRecord<parts::Alternatives>::write(StepContext const& context, parts::Alternatives::Finding const& part) {
    Json list = Json::array();
    for (Alternative const& each : part.all) {
        list.push_back({{"action", each.action},
                        {"words", each.words},
                        {"allowed", each.allowed},
                        {"spent", each.spent},
                        {"forbidden_by", each.forbidden_by ? broken_json(context.info(), *each.forbidden_by) : Json(nullptr)},
                        {"probability", each.probability},
                        {"extra", number(each.extra)},
                        {"start", number(each.start)},
                        {"end", number(each.end)},
                        {"slacks", slacks_json(context.info(), each.slacks)},
                        {"cost", number(each.cost)},
                        {"cost_status", name_of(each.status)},
                        {"impossible", each.impossible},
                        {"bound", number(each.bound)},
                        {"policy_cost", number(each.policy_cost)},
                        {"regret", number(each.regret)},
                        {"worse_by", number(worse_by(part, each, context.info().objective))}});
    }
    return list;
}

/// The price of the choice, and where each action leads, for the drawing; what is not a matter of rules (it is done
/// already) leads nowhere.
template <> void PartRecord<parts::Alternatives>::add_to_step(StepContext const& context, Json& step) {
    auto const& found = context.step.of<parts::Alternatives>();
    step["price"] = found ? price_json(context.info(), *found) : Json(nullptr);
    if (!found) return;
    for (Json& each : step["alternatives"]) {
        bool const leads = each["allowed"].get<bool>() || !each["forbidden_by"].is_null();
        std::size_t const action = each["action"].get<std::size_t>();
        each["mark"] = leads ? context.presentation().mark(*context.step.choice.state, action) : Json(nullptr);
    }
}

template <> void PartRecord<parts::Alternatives>::add_rows(Tables& tables, Row const& decision, Json const& part) {
    for (Json const& each : part) {
        tables.add("alternatives",
                   {"alternative", "alternative_words", "chosen", "allowed", "spent", "forbidden_by", "rule",
                    "probability", "extra", "start", "end", "cost", "cost_status", "impossible", "bound", "policy_cost",
                    "regret", "worse_by"},
                   decision,
                   fields(each, {"action", "words"}) + Row{each["action"] == decision[2]} +
                       fields(each, {"allowed", "spent"}) + fields(each["forbidden_by"], {"family", "rule"}) +
                       fields(each, {"probability", "extra", "start", "end", "cost", "cost_status", "impossible",
                                     "bound", "policy_cost", "regret", "worse_by"}));
    }
}

} // namespace cax::records
