#include "parts/part_records.hpp"

#include "cax/records/counterfactual.hpp"
#include "cax/records/parts.hpp"

namespace cax::records {
namespace {

Json changes(StepContext const& context, Flip const& flip, std::vector<Condition> const& conditions) {
    Json list = Json::array();
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        EntryChange const& change = flip.changes[i];
        Condition const& condition = conditions[i];
        list.push_back({{"tensor", context.info().tensors[change.tensor].name},
                        {"index", change.index},
                        {"position", position(flip.change[change.tensor].shape, change.index)},
                        {"from", change.from},
                        {"to", change.to},
                        {"shown_from", condition.from},
                        {"shown_to", condition.to},
                        {"node", count(condition.node)},
                        {"words", condition.words}});
    }
    return list;
}

Json certificate(StepContext const& context, StepCounterfactual const& part) {
    SettledFlip const& best = *part.answer.best();
    Json json = {{"mode", nullptr},    {"source", nullptr}, {"verdict", nullptr},
                 {"doubt", nullptr},   {"reason", nullptr}, {"words", part.certificate_words},
                 {"checked", nullptr}, {"cost", nullptr},   {"cost_word", context.info().cost_word},
                 {"witness", nullptr}, {"drawing", nullptr}};
    fill(json, certificate_json(context.instance(), *best.certificate));
    if (best.certificate->witness && best.flip.changed) {
        json["drawing"] = context.presentation().drawing(*best.flip.changed, *best.certificate->witness);
    }
    return json;
}

} // namespace

Json flip_record(StepContext const& context, StepCounterfactual const& part) {
    CounterfactualAnswer const& answer = part.answer;
    Json json = {{"status", name_of(answer.status())},
                 {"new_action", nullptr},
                 {"new", nullptr},
                 {"new_words", nullptr},
                 {"l1", nullptr},
                 {"sampled_l1", nullptr},
                 {"tensor", nullptr},
                 {"family", nullptr},
                 {"family_mass", Json::object()},
                 {"entries", 0},
                 {"changes", Json::array()},
                 {"refined", false},
                 {"best_margin", number(answer.report.best_margin)},
                 {"shots", answer.report.shots},
                 {"forward_passes", answer.report.forward_passes + answer.refine_passes},
                 {"odd", part.odd},
                 {"scene", nullptr},
                 {"moment", nullptr},
                 {"certificate", nullptr}};
    json.update(search_json(answer));
    SettledFlip const* const best = answer.best();
    if (best == nullptr) return json;
    Flip const& flip = best->flip;
    fill(json, flip_json(context.info(), flip));
    json["new"] = context.choice(*part.choice);
    json["new_words"] = part.choice->words;
    json["sampled_l1"] = answer.sampled.front().flip.l1;
    json["family_mass"] = by_family(context.info(), flip.family_mass);
    json["changes"] = changes(context, flip, part.conditions);
    json["refined"] = !answer.refined.empty();
    if (flip.state) {
        json["scene"] = context.presentation().scene(*flip.changed);
        json["moment"] = context.presentation().moment(*flip.state, context.before());
    }
    if (best->certificate) json["certificate"] = certificate(context, part);
    return json;
}

template <>
Json PartRecord<parts::Counterfactual>::write(StepContext const& context, parts::Counterfactual::Finding const& part) {
    return flip_record(context, part);
}

template <> void PartRecord<parts::Counterfactual>::add_rows(Tables& tables, Row const& decision, Json const& part) {
    tables.add("counterfactuals",
               {"status", "new_action", "new_words", "l1", "entries", "tensor", "family", "refined", "verdict", "shots",
                "forward_passes"},
               decision,
               fields(part, {"status", "new_action", "new_words", "l1", "entries", "tensor", "family", "refined"}) +
                   fields(field_or_null(part, "certificate"), {"verdict"}) + fields(part, {"shots", "forward_passes"}));
    std::initializer_list<char const*> const columns{"new_action", "new_words", "tensor", "index",
                                                     "node",       "from",      "to",     "change"};
    tables.add("changes", columns, decision, {});
    for (Json const& change : part["changes"]) {
        tables.add("changes", columns, decision,
                   fields(part, {"new_action", "new_words"}) +
                       fields(change, {"tensor", "index", "node", "from", "to", "words"}));
    }
    if (!part.contains("families")) return;
    for (Json const& each : part["families"]) {
        tables.add("counterfactual_families",
                   {"family", "relative_size", "reach", "status", "new_action", "new_words", "l1", "forward_passes"},
                   decision,
                   fields(each, {"family", "relative_size", "reach"}) +
                       fields(field_or_null(each, "flip"), {"status", "new_action", "new_words", "l1"}) +
                       fields(each, {"forward_passes"}));
    }
}

} // namespace cax::records
