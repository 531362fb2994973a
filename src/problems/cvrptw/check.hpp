#pragma once
// Is this a solution? From the definition, in double precision, sharing no code with the state.
#include "cax/problems/cvrptw/instance.hpp"

namespace cax::cvrptw {

/// Demands are rounded to 24 bits; those of a full vehicle can therefore add up to a little more than 1.
inline constexpr double load_tolerance = 1e-6;
/// Relative to the latest closing time. A policy drives by a float32 clock, which over a route strays from the exact
/// one by some 1e-7 of that; what it was allowed to do must not be called late here.
inline constexpr double time_tolerance = 1e-6;

/// Lists everything that is wrong. The cost is the total length of the routes; empty routes count for nothing.
[[nodiscard]] CheckReport check_routes(Data const& data, Routes const& solution, DistanceRule rule);

} // namespace cax::cvrptw
