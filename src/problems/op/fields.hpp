#pragma once
// The families and the fields of an orienteering instance.
#include "../routing/field.hpp"

namespace cax::op {

/// Places in ProblemInfo::families.
enum Family : std::size_t { prize, budget, spatial };
/// Places in the table, and of the features in ProblemInfo::tensors.
enum FieldIndex : std::size_t { field_locs, field_prize, field_max_length };

inline constexpr std::array<routing::Field, 3> fields{{
    routing::places(spatial, 0.3, 0.01),
    {.name = "prize",
     .entries = routing::Entries::depot_is_zero,
     .limits = routing::Limits::not_negative,
     .lowest_changed = -0.01,
     .scale = routing::Scale::worth,
     .key = "prize",
     .label = {"prize"},
     .family = prize,
     .budget = 0.5,
     .unit = "prize",
     .grain = 0.01,
     .words = {{{"{who}: prize", "{owner} prize were {to} instead of {from}"}}}},
    // Policies see what is left of it on arrival at each node; only the depot's entry, the whole tour's, is a number
    // of the instance.
    {.name = "max_length",
     .entries = routing::Entries::instance,
     .limits = routing::Limits::positive,
     .scale = routing::Scale::length,
     .key = "max_length",
     .label = {"max_length"},
     .family = budget,
     .unit = "distance",
     .grain = 0.01,
     .spread = true,
     .context = 0,
     .words = {{{"{who}: latest arrival", "{owner} latest arrival were {to} instead of {from}"}}},
     .depot = {{{"longest tour allowed", "the tour were allowed a length of {to} instead of {from}"}}}},
}};

} // namespace cax::op
