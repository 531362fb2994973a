#pragma once
// The families and the fields of a CVRPTW instance.
#include "../routing/field.hpp"

namespace cax::cvrptw {

/// Places in ProblemInfo::families.
enum Family : std::size_t { capacity, time_window, spatial };
/// Places in the table, and of the features in ProblemInfo::tensors.
enum FieldIndex : std::size_t { field_locs, field_demand, field_time_windows, field_durations, field_capacity };

inline constexpr std::array<routing::Field, 5> fields{{
    routing::places(spatial, 30, 1),
    routing::demands(capacity, 0.02),
    {.name = "time_windows",
     .width = 2,
     .limits = routing::Limits::ordered,
     .scale = routing::Scale::length,
     .key = "window",
     .label = {"window opening", "window closing"},
     .family = time_window,
     .budget = 30,
     .unit = "time",
     .grain = 1,
     .words = {{{"{who}: window opens", "{owner} window opened at {to} instead of {from}"},
                {"{who}: window closes", "{owner} window closed at {to} instead of {from}"}}},
     .depot = {{{"{who}: day opens", "{owner} day opened at {to} instead of {from}"},
                {"{who}: day closes", "{owner} day closed at {to} instead of {from}"}}}},
    {.name = "durations",
     .limits = routing::Limits::not_negative,
     .scale = routing::Scale::length,
     .key = "service",
     .label = {"service time"},
     .depot_may_lack = true,
     .family = time_window,
     .unit = "time",
     .grain = 1,
     .words = {{{"{who}: service time", "{owner} service took {to} instead of {from}"}}}},
    routing::vehicle_capacity(),
}};

} // namespace cax::cvrptw
