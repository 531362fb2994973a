#pragma once
// Is this a solution? From the definition, in double precision, sharing no code with the state.
#include "cax/problems/cvrptw/instance.hpp"

namespace cax::cvrptw {

/// Lists everything that is wrong. The cost is the total length of the routes; empty routes count for nothing.
[[nodiscard]] CheckReport check_routes(Data const& data, Routes const& solution, DistanceRule rule);

} // namespace cax::cvrptw
