#include "parts/part_records.hpp"

#include "cax/records/parts.hpp"

namespace cax::records {

template <>
Json PartRecord<parts::Attribution>::write(StepContext const& context, parts::Attribution::Finding const& part) {
    Json families;
    Json nodes;
    Json ranked = Json::array();
    for (std::size_t k = 0; k < context.info().families.size(); ++k) {
        std::string const name(context.info().families[k]);
        families[name] = {{"mass", part.decision.mass[k]},
                          {"lambda", number(part.multipliers[k].value)},
                          {"score", number(part.scores.values[k])},
                          {"share", number(part.scores.shares[k])},
                          {"status", part.status(k)}};
        nodes[name] = part.decision.nodes[k];
        ranked.push_back(context.info().families[part.scores.ranked[k]]);
    }
    return {{"status", name_of(part.decision.status)},
            {"score_status", name_of(part.scores.status)},
            {"families", std::move(families)},
            {"ranked", std::move(ranked)},
            {"top", family_name(context.info(), part.scores.top)},
            {"top_unique", part.top_unique ? Json(name_of(*part.top_unique)) : Json(nullptr)},
            {"always_first", family_name(context.info(), part.always_first)},
            {"nodes", part.decision.node_totals()},
            {"node_families", std::move(nodes)}};
}

template <> void PartRecord<parts::Attribution>::add_rows(Tables& tables, Row const& decision, Json const& part) {
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

} // namespace cax::records
