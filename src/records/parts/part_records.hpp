#pragma once
// How each part of an explanation is written down: as the field of its name in a step's record, and as rows of tidy
// tables. A specialisation for every part of the list in cax/explain/parts.hpp; one that is missing does not link.
#include "cax/core/json.hpp"
#include "cax/records/step_parts.hpp"
#include "rows.hpp"

#include <initializer_list>

namespace cax::records {

template <class Part> struct PartRecord {
    /// The field of the part's name.
    [[nodiscard]] static Json write(StepContext const& context, typename Part::Finding const& found);
    /// What a step's record has besides, with the part or without it.
    static void add_to_step(StepContext const&, Json&) {}
    /// Rows about one decision, made of what write() made.
    static void add_rows(Tables& tables, Row const& decision, Json const& part);
};

template <> void PartRecord<parts::Alternatives>::add_to_step(StepContext const& context, Json& step);

/// A field of a record, or null: records of one part differ a little between a result of its own and an explanation.
[[nodiscard]] Json field_or_null(Json const& record, char const* field);
[[nodiscard]] Row fields(Json const& record, std::initializer_list<char const*> names);
[[nodiscard]] Row operator+(Row left, Row const& right);

/// A counterfactual, for the two parts that look for one.
[[nodiscard]] Json flip_record(StepContext const& context, StepCounterfactual const& part);

} // namespace cax::records
