#include "parts/part_records.hpp"


namespace cax::records {

template <>
Json PartRecord<parts::Thumb>::write(StepContext const& context, parts::Thumb::Finding const& part) {
    Json json = Json::object();
    auto const rules = rules_of_thumb(context.instance().problem());
    for (std::size_t r = 0; r < part.rules.size(); ++r) json[std::string(rules[r].name)] = part.rules[r].agrees;
    return json;
}

template <> void PartRecord<parts::Thumb>::add_rows(Tables& tables, Row const& decision, Json const& part) {
    for (auto const& [rule, agrees] : part.items()) tables.add("thumb", {"rule", "agrees"}, decision, {rule, agrees});
}

} // namespace cax::records
