#pragma once
// The families and the fields of a travelling salesman instance with time windows.
#include "../routing/field.hpp"

namespace cax::tsptw {

/// Places in ProblemInfo::families.
enum Family : std::size_t { time_window, spatial };
/// Places in the table, and of the features in ProblemInfo::tensors.
enum FieldIndex : std::size_t { field_locs, field_time_windows };

inline constexpr std::array<routing::Field, 2> fields{{
    routing::places(spatial, 0.3, 0.01),
    {.name = "time_windows",
     .width = 2,
     .limits = routing::Limits::ordered,
     .scale = routing::Scale::length,
     .key = "window",
     .label = {"window opening", "window closing"},
     .family = time_window,
     .budget = 2,
     .unit = "time",
     .grain = 0.01,
     .in_depot_units = true,
     .words = {{{"{who}: window opens", "{owner} window opened at {to} instead of {from}"},
                {"{who}: window closes", "{owner} window closed at {to} instead of {from}"}}}},
}};

} // namespace cax::tsptw
