#pragma once
// The families and the fields of a knapsack instance.
#include "../table/field.hpp"

namespace cax::knapsack {

/// Places in ProblemInfo::families.
enum Family : std::size_t { value, weight, volume };
/// Places in the table, and of the features in ProblemInfo::tensors.
enum FieldIndex : std::size_t { field_values, field_weights, field_volumes, field_max_weight, field_max_volume };

/// What an item takes of one resource, as a fraction of what there is of it.
[[nodiscard]] constexpr table::Field share(std::string_view name, std::string_view key, std::string_view whole,
                                           std::size_t family, table::EntryWords words) {
    return {.name = name,
            .limits = table::Limits::fraction,
            .key = key,
            .label = {key},
            .whole = whole,
            .whole_unit = key,
            .family = family,
            .budget = 0.1,
            .unit = "fraction of capacity",
            .words = {words}};
}

/// How much there is of it.
[[nodiscard]] constexpr table::Field resource(std::string_view name) {
    return {.name = name,
            .entries = table::Entries::instance,
            .limits = table::Limits::positive,
            .key = name,
            .label = {name},
            .lacking = 1.0F,
            .column_array = true,
            .feature = false};
}

inline constexpr std::array<table::Field, 5> fields{{
    {.name = "values",
     .limits = table::Limits::not_negative,
     .scale = table::Scale::worth,
     .key = "value",
     .label = {"value"},
     .family = value,
     .budget = 0.5,
     .unit = "value",
     .grain = 0.01,
     .words = {{{"{who}: value", "{owner} value were {to} instead of {from}"}}}},
    share("weights", "weight", "max_weight", weight, {"{who}: weight", "{owner} weight were {to} instead of {from}"}),
    share("volumes", "volume", "max_volume", volume, {"{who}: volume", "{owner} volume were {to} instead of {from}"}),
    resource("max_weight"),
    resource("max_volume"),
}};

} // namespace cax::knapsack
