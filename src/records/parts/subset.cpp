#include "parts/part_records.hpp"

#include "cax/records/parts.hpp"
#include "cax/records/subset.hpp"

namespace cax::records {

template <>
Json PartRecord<parts::Subset>::write(StepContext const&, parts::Subset::Finding const& part) {
    Subset const& subset = part.subset;
    Json json = {{"accepted", subset.accepted},
                 {"forced", subset.forced},
                 {"size", subset.size()},
                 {"nodes", subset.nodes},
                 {"labels", part.labels},
                 {"rate", nullptr},
                 {"lower_bound", nullptr},
                 {"samples", nullptr},
                 {"margin", number(subset.margin)},
                 {"nodes_in_all", subset.nodes_in_all},
                 {"k_max", part.k_max},
                 {"epsilon", part.epsilon},
                 {"confidence", part.confidence},
                 {"level", part.level},
                 {"guaranteed", part.guaranteed},
                 {"forward_passes", subset.forward_passes},
                 {"exact", nullptr}};
    fill(json, share_json(subset.observed));
    if (subset.exact) {
        json["exact"] = {{"size", subset.exact->nodes.size()},
                         {"found", subset.exact->found},
                         {"proven", subset.exact->proven},
                         {"size_at_least", subset.exact->size_at_least},
                         {"nodes", subset.exact->nodes}};
    }
    return json;
}

template <> void PartRecord<parts::Subset>::add_rows(Tables& tables, Row const& decision, Json const& part) {
    tables.add("subsets",
               {"order", "accepted", "forced", "size", "nodes_in_all", "rate", "lower_bound", "samples", "margin",
                "forward_passes"},
               decision,
               fields(part, {"order", "accepted", "forced", "size", "nodes_in_all", "rate", "lower_bound", "samples",
                             "margin", "forward_passes"}));
    std::initializer_list<char const*> const columns{"order", "rank", "node", "label"};
    tables.add("subset_nodes", columns, decision, {});
    for (std::size_t i = 0; i < part["nodes"].size(); ++i) {
        tables.add("subset_nodes", columns, decision, {field_or_null(part, "order"), i, part["nodes"][i], part["labels"][i]});
    }
}

} // namespace cax::records
