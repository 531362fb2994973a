#include "parts/part_records.hpp"

#include "cax/records/parts.hpp"

namespace cax::records {

template <>
Json PartRecord<parts::WhyNot>::write(StepContext const& context, parts::WhyNot::Finding const& part) {
    Json json = {{"node", part.node},
                 {"label", part.label},
                 {"allowed", !part.refusal},
                 {"chosen", part.chosen},
                 {"counterfactual", nullptr}};
    if (part.refusal) {
        json["reason"] = part.refusal->reason;
        if (part.refusal->slack) {
            json["used"] = number(part.refusal->slack->used);
            json["limit"] = number(part.refusal->slack->limit);
        }
    }
    if (part.choice) json.update(context.choice(*part.choice));
    if (part.counterfactual) json["counterfactual"] = flip_record(context, *part.counterfactual);
    return json;
}

template <> void PartRecord<parts::WhyNot>::add_rows(Tables&, Row const&, Json const&) {}

} // namespace cax::records
