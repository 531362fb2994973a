#include "parts/part_records.hpp"

#include "cax/records/parts.hpp"

namespace cax::records {

template <>
Json PartRecord<parts::Sensitivity>::write(StepContext const& context, parts::Sensitivity::Finding const& part) {
    Sensitivity const& found = part.found;
    Json families = Json::object();
    for (std::size_t k = 0; k < found.families.size(); ++k) {
        FamilySensitivity const& each = found.families[k];
        families[std::string(context.info().families[k])] = {
            {"score", each.score},
            {"error", each.error},
            {"share", each.share},
            {"flip_rate", each.flip_rate},
            {"flip_error", each.flip_error},
            {"flip_rate_by_size", each.flip_rate_by_size},
            {"score_interval", {each.score_interval.low, each.score_interval.high}},
            {"flip_interval", {each.flip_interval.low, each.flip_interval.high}},
            {"asked", each.asked},
            {"dropped", each.dropped},
            {"percentile", part.percentiles.empty() ? Json(nullptr) : number(part.percentiles[k])}};
    }
    return {{"status", name_of(found.status)},
            {"sizes", found.sizes},
            {"shots", found.shots},
            {"pool", found.pool},
            {"families", std::move(families)},
            {"unusual", family_name(context.info(), part.unusual)},
            {"forward_passes", found.forward_passes}};
}

template <> void PartRecord<parts::Sensitivity>::add_rows(Tables& tables, Row const& decision, Json const& part) {
    std::initializer_list<char const*> const columns{"status", "family",    "score",      "error",
                                                     "share",  "flip_rate", "flip_error", "percentile",
                                                     "asked",  "dropped",   "score_low",  "score_high",
                                                     "flip_low", "flip_high", "unusual"};
    if (part["families"].empty()) tables.add("sensitivities", columns, decision, Row{part["status"]} + Row(14));
    for (auto const& [family, values] : part["families"].items()) {
        tables.add("sensitivities", columns, decision,
                   Row{part["status"], family} +
                       fields(values, {"score", "error", "share", "flip_rate", "flip_error", "percentile", "asked",
                                       "dropped"}) +
                       Row{values["score_interval"][0], values["score_interval"][1], values["flip_interval"][0],
                           values["flip_interval"][1]} +
                       Row{part["unusual"] == family});
    }
}

} // namespace cax::records
