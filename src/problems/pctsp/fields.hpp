#pragma once
// The families and the fields of a prize-collecting travelling salesman instance.
#include "../routing/field.hpp"

namespace cax::pctsp {

/// Places in ProblemInfo::families.
enum Family : std::size_t { prize, penalty, spatial };
/// Places in the table, and of the features in ProblemInfo::tensors.
enum FieldIndex : std::size_t { field_locs, field_prize, field_penalty, field_stochastic };

inline constexpr std::array<routing::Field, 4> fields{{
    routing::places(spatial, 0.3, 0.01),
    {.name = "expected_prize",
     .entries = routing::Entries::customers,
     .limits = routing::Limits::not_negative,
     .key = "prize",
     .label = {"prize"},
     .array = "deterministic_prize",
     .family = prize,
     .budget = 0.1,
     .unit = "prize",
     .grain = 0.01,
     .words = {{{"{who}: prize", "{owner} prize were {to} instead of {from}"}}}},
    {.name = "penalty",
     .entries = routing::Entries::depot_is_zero,
     .limits = routing::Limits::not_negative,
     .scale = routing::Scale::length,
     .key = "penalty",
     .label = {"penalty"},
     .family = penalty,
     .budget = 0.15,
     .unit = "distance",
     .grain = 0.01,
     .words = {{{"{who}: penalty", "{owner} penalty were {to} instead of {from}"}}}},
    // rl4co keeps it for another problem; nobody reads it here.
    {.name = "stochastic_prize",
     .entries = routing::Entries::customers,
     .limits = routing::Limits::not_negative,
     .key = "stochastic_prize",
     .label = {"stochastic prize"},
     .lacking = 0.0F,
     .feature = false},
}};

} // namespace cax::pctsp
