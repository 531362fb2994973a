#include "rows.hpp"

namespace cax::records {
namespace {

/// The field, or null: records of one part differ a little between a result of its own and an explanation.
Json at(Json const& record, char const* field) {
    return record.is_object() && record.contains(field) ? record[field] : Json(nullptr);
}

Row fields(Json const& record, std::initializer_list<char const*> names) {
    Row row;
    for (char const* name : names) row.push_back(at(record, name));
    return row;
}

Row operator+(Row left, Row const& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

void add_attribution(Tables& tables, Row const& decision, Json const& part) {
    for (auto const& [family, values] : part["families"].items()) {
        tables.add("attributions", {"status", "family", "mass", "lambda", "score", "share", "top"}, decision,
                   Row{part["status"], family} + fields(values, {"mass", "lambda", "score", "share"}) +
                       Row{part["top"] == family});
    }
    if (!part.contains("node_families")) return;
    for (auto const& [family, nodes] : part["node_families"].items()) {
        for (std::size_t node = 0; node < nodes.size(); ++node) {
            tables.add("attribution_nodes", {"family", "node", "mass"}, decision, {family, node, nodes[node]});
        }
    }
}

void add_counterfactual(Tables& tables, Row const& decision, Json const& part) {
    tables.add("counterfactuals",
               {"status", "new_action", "new_words", "l1", "entries", "tensor", "family", "refined", "verdict", "shots",
                "forward_passes"},
               decision,
               fields(part, {"status", "new_action", "new_words", "l1", "entries", "tensor", "family", "refined"}) +
                   fields(at(part, "certificate"), {"verdict"}) + fields(part, {"shots", "forward_passes"}));
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
                       fields(at(each, "flip"), {"status", "new_action", "new_words", "l1"}) +
                       fields(each, {"forward_passes"}));
    }
}

void add_subset(Tables& tables, Row const& decision, Json const& part) {
    tables.add("subsets",
               {"order", "accepted", "forced", "size", "nodes_in_all", "rate", "lower_bound", "samples", "margin",
                "forward_passes"},
               decision,
               fields(part, {"order", "accepted", "forced", "size", "nodes_in_all", "rate", "lower_bound", "samples",
                             "margin", "forward_passes"}));
    std::initializer_list<char const*> const columns{"order", "rank", "node", "label"};
    tables.add("subset_nodes", columns, decision, {});
    for (std::size_t i = 0; i < part["nodes"].size(); ++i) {
        tables.add("subset_nodes", columns, decision, {at(part, "order"), i, part["nodes"][i], part["labels"][i]});
    }
}

void add_swap(Tables& tables, Row const& decision, Json const& part) {
    std::initializer_list<char const*> const columns{"status", "other",  "other_words", "margin",
                                                     "family", "effect", "single",      "top"};
    Row const common = fields(part, {"status", "other", "other_words", "margin"});
    if (!part["families"].is_object()) {
        tables.add("swaps", columns, decision, common + Row(4));
        return;
    }
    for (auto const& [family, effect] : part["families"].items()) {
        tables.add("swaps", columns, decision,
                   common + Row{family, effect, part["single"][family], part["top"] == family});
    }
}

void add_sensitivity(Tables& tables, Row const& decision, Json const& part) {
    std::initializer_list<char const*> const columns{"status", "family",    "score",      "error",
                                                     "share",  "flip_rate", "flip_error", "percentile",
                                                     "asked",  "dropped",   "unusual"};
    if (part["families"].empty()) tables.add("sensitivities", columns, decision, Row{part["status"]} + Row(10));
    for (auto const& [family, values] : part["families"].items()) {
        tables.add("sensitivities", columns, decision,
                   Row{part["status"], family} +
                       fields(values, {"score", "error", "share", "flip_rate", "flip_error", "percentile", "asked",
                                       "dropped"}) +
                       Row{part["unusual"] == family});
    }
}

void add_forbidden(Tables& tables, Row const& decision, Json const& part) {
    std::initializer_list<char const*> const columns{"favourite", "favourite_words", "probability", "family", "rule",
                                                     "used",      "limit",           "slack"};
    tables.add("forbidden", columns, decision, {});
    for (Json const& each : part) {
        tables.add("forbidden", columns, decision,
                   fields(each, {"action", "words", "probability", "family", "rule", "used", "limit", "slack"}));
    }
}

void add_alternatives(Tables& tables, Row const& decision, Json const& part) {
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

void add_thumb(Tables& tables, Row const& decision, Json const& part) {
    for (auto const& [rule, agrees] : part.items()) tables.add("thumb", {"rule", "agrees"}, decision, {rule, agrees});
}

} // namespace

void add_decision(Tables& tables, Row const& decision, Json const& step) {
    tables.add(
        "decisions",
        {"probability", "log_prob", "allowed", "actions", "runner_up", "runner_up_words", "runner_up_probability"},
        decision,
        fields(step, {"probability", "log_prob", "allowed", "actions"}) +
            fields(step["runner_up"], {"action", "words", "probability"}));
}

void add_part(Tables& tables, std::string const& name, Row const& decision, Json const& part) {
    if (part.is_null()) return;
    if (name == "attribution") add_attribution(tables, decision, part);
    if (name == "counterfactual") add_counterfactual(tables, decision, part);
    if (name == "subset") add_subset(tables, decision, part);
    if (name == "swap") add_swap(tables, decision, part);
    if (name == "sensitivity") add_sensitivity(tables, decision, part);
    if (name == "forbidden") add_forbidden(tables, decision, part);
    if (name == "alternatives") add_alternatives(tables, decision, part);
    if (name == "thumb") add_thumb(tables, decision, part);
}

void add_lines(Tables& tables, Row const& decision, char const* part, Json const& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
        tables.add("lines", {"part", "place", "about", "evidence", "text"}, decision,
                   Row{part, i} + fields(lines[i], {"about", "evidence", "text"}));
    }
}

} // namespace cax::records
