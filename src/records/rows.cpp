#include "rows.hpp"

#include "parts/part_records.hpp"

namespace cax::records {

Json field_or_null(Json const& record, char const* field) {
    return record.is_object() && record.contains(field) ? record[field] : Json(nullptr);
}

Row fields(Json const& record, std::initializer_list<char const*> names) {
    Row row;
    for (char const* name : names) row.push_back(field_or_null(record, name));
    return row;
}

Row operator+(Row left, Row const& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

void add_decision(Tables& tables, Row const& decision, Json const& step) {
    tables.add(
        "decisions",
        {"probability", "log_prob", "allowed", "actions", "runner_up", "runner_up_words", "runner_up_probability"},
        decision,
        fields(step, {"probability", "log_prob", "allowed", "actions"}) +
            fields(step["runner_up"], {"action", "words", "probability"}));
}

void add_part(Tables& tables, std::string_view name, Row const& decision, Json const& part) {
    if (part.is_null()) return;
    Parts::each_about_decisions([&]<class Part> {
        if (name == Part::name) PartRecord<Part>::add_rows(tables, decision, part);
    });
}

void add_lines(Tables& tables, Row const& decision, char const* part, Json const& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
        tables.add("lines", {"part", "place", "about", "evidence", "text"}, decision,
                   Row{part, i} + fields(lines[i], {"about", "evidence", "text"}));
    }
}

} // namespace cax::records
