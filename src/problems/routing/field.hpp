#pragma once
// Rows of the table of fields (table/field.hpp) that several routing problems have.
#include "../table/field.hpp"

#include "cax/problems/routing/instance.hpp"

namespace cax::routing {

using table::count_of;
using table::Entries;
using table::Field;
using table::first_node;
using table::in_units;
using table::Limits;
using table::node_name;
using table::NodeWords;
using table::Origin;
using table::Scale;

/// Places at their coordinates: the first row of every table, for a family and a budget.
[[nodiscard]] constexpr Field places(std::size_t family, double budget, double grain) {
    return {.name = "locs",
            .width = 2,
            .scale = Scale::length,
            .label = {"x", "y"},
            .family = family,
            .budget = budget,
            .unit = "distance",
            .grain = grain,
            .words = {{{"{who}: x coordinate", "{the} lay at x = {to} instead of {from}"},
                       {"{who}: y coordinate", "{the} lay at y = {to} instead of {from}"}}}};
}
/// Demands as fractions of the capacity, and the capacity: for the vehicle problems.
[[nodiscard]] constexpr Field demands(std::size_t family, double budget) {
    return {.name = "demand",
            .entries = Entries::customers,
            .limits = Limits::fraction,
            .key = "demand",
            .label = {"demand"},
            .family = family,
            .budget = budget,
            .unit = "fraction of capacity",
            .words = {{{"{who}: demand", "{owner} demand were {to} instead of {from}"}}}};
}
[[nodiscard]] constexpr Field vehicle_capacity() {
    return {.name = "capacity",
            .entries = Entries::instance,
            .limits = Limits::positive,
            .key = "capacity",
            .label = {"capacity"},
            .lacking = 1.0F,
            .column_array = true,
            .feature = false};
}

} // namespace cax::routing
