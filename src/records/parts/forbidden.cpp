#include "parts/part_records.hpp"

#include "cax/records/decision.hpp"
#include "cax/records/parts.hpp"

namespace cax::records {

template <>
Json PartRecord<parts::Forbidden>::write(StepContext const& context, parts::Forbidden::Finding const& part) {
    Json list = Json::array();
    for (StepForbidden const& each : part) {
        Json json = slack_json(context.info(), each.what.rule);
        json["action"] = each.what.action;
        json["words"] = each.words;
        json["probability"] = each.what.probability;
        list.push_back(std::move(json));
    }
    return list;
}

template <> void PartRecord<parts::Forbidden>::add_rows(Tables& tables, Row const& decision, Json const& part) {
    std::initializer_list<char const*> const columns{"favourite", "favourite_words", "probability", "family", "rule",
                                                     "used",      "limit",           "slack"};
    tables.add("forbidden", columns, decision, {});
    for (Json const& each : part) {
        tables.add("forbidden", columns, decision,
                   fields(each, {"action", "words", "probability", "family", "rule", "used", "limit", "slack"}));
    }
}

} // namespace cax::records
