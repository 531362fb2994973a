#include "parts/part_records.hpp"

#include "cax/records/parts.hpp"

namespace cax::records {

template <>
Json PartRecord<parts::Swap>::write(StepContext const& context, parts::Swap::Finding const& part) {
    Swap const& swap = part.swap;
    bool const computed = swap.status == SwapStatus::computed;
    return {{"status", name_of(swap.status)},
            {"other", count(swap.other)},
            {"other_words", swap.other ? Json(part.other_words) : Json(nullptr)},
            {"other_is_runner_up", swap.other_is_runner_up},
            {"margin", computed ? number(swap.margin) : Json(nullptr)},
            {"families", computed ? by_family(context.info(), swap.phi) : Json(nullptr)},
            {"single", computed ? by_family(context.info(), swap.single) : Json(nullptr)},
            {"top", family_name(context.info(), swap.top())},
            {"forward_passes", swap.forward_passes}};
}

template <> void PartRecord<parts::Swap>::add_rows(Tables& tables, Row const& decision, Json const& part) {
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

} // namespace cax::records
