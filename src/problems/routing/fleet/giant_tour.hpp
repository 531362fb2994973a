#pragma once
// All routes of a bounded fleet as one closed tour: from the depot of vehicle 0 through its customers to the depot of
// vehicle 1, and so on. Clocks and loads follow the tour from predecessor to successor.
#include "fleet.hpp"

namespace cax::routing {

/// More customers than this make tables that no solver would get through.
inline constexpr std::size_t max_tour_customers = 300;

/// Precondition: 1 <= vehicles, of which one is under way if the prefix says so; every customer left can be served by a
/// vehicle of its own.
[[nodiscard]] DecisionModel giant_tour(FleetData const& data, Prefix const& prefix, std::size_t vehicles,
                                       FleetFamilies const& families, Rounding rounding);

} // namespace cax::routing
