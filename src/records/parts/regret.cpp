#include "parts/part_records.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/records/parts.hpp"
#include "cax/records/regret.hpp"

namespace cax::records {

template <>
Json PartRecord<parts::Regret>::write(StepContext const& context, parts::Regret::Finding const& part) {
    Json json = regret_json(part.found);
    json["better"] = nullptr;
    json["consequence"] = part.consequence.empty() ? Json(nullptr) : Json(part.consequence);
    json["drawing"] = nullptr;
    if (!part.found.better) return json;
    Instance const& instance = context.instance();
    KnownPlan const& better = *part.found.better;
    json["drawing"] = context.presentation().drawing(instance, part.after->solution);
    Json& instead = json["better"];
    instead = part.better ? context.choice(*part.better) : Json{{"action", nullptr}, {"words", "wait"}, {"mark", nullptr}};
    instead["cost"] = better.cost;
    instead["changes"] = part.changes;
    instead["solution"] = solution_to_json(instance, better.solution);
    instead["drawing"] = context.presentation().drawing(instance, better.solution);
    return json;
}

template <> void PartRecord<parts::Regret>::add_rows(Tables& tables, Row const& decision, Json const& part) {
    tables.add("regrets",
               {"status", "regret", "regret_low", "regret_high", "value_low", "value_high", "better_action",
                "better_words", "better_cost", "changes", "consequence"},
               decision,
               fields(part, {"status", "estimate"}) + Row{part["regret"][0], part["regret"][1]} +
                   Row{part["value"][0], part["value"][1]} +
                   fields(part["better"], {"action", "words", "cost", "changes"}) + fields(part, {"consequence"}));
}

} // namespace cax::records
