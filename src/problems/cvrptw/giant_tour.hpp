#pragma once
// All routes of a bounded fleet as one closed tour: from the depot of vehicle 0 through its customers to the depot of
// vehicle 1, and so on. Clocks and loads follow the tour from predecessor to successor.
#include "beginning.hpp"

#include "cax/problems/decision_model.hpp"

namespace cax::cvrptw {

/// More customers than this make tables that no solver would get through.
inline constexpr std::size_t max_tour_customers = 300;

/// Precondition: 1 <= vehicles, of which one is under way if `begun` says so; every customer left can be served by a
/// vehicle of its own.
[[nodiscard]] DecisionModel giant_tour(Data const& data, Beginning const& begun, std::size_t vehicles,
                                       Rounding rounding);

} // namespace cax::cvrptw
