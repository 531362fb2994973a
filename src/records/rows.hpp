#pragma once
// How records become rows. Every row begins with the decision that it is about.
#include "cax/records/tables.hpp"

#include <initializer_list>
#include <string_view>

namespace cax::records {

using Row = std::vector<Json>;

struct Tables {
    std::vector<TidyTable> all;

    /// A row of the table of that name, which is made if it is not there: its columns are those of the decision, then
    /// these. No values: the table is there, and has no row of this decision.
    void add(char const* name, std::initializer_list<char const*> columns, Row const& decision, Row const& values);
};

/// {instance, step, action, words}
[[nodiscard]] Row decision_of(Json const& instance, Json const& record);

/// The decision itself, as a step of an explanation has it.
void add_decision(Tables& tables, Row const& decision, Json const& step);
/// Its part of that name, wherever that part stands: null if it was not asked for.
void add_part(Tables& tables, std::string_view name, Row const& decision, Json const& part);
/// Sentences: `part` says which ones they are.
void add_lines(Tables& tables, Row const& decision, char const* part, Json const& lines);

} // namespace cax::records
