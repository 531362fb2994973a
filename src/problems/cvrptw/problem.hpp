#pragma once
// Capacitated vehicle routing with time windows, as the rest of cax sees it.
#include "cax/problems/problem.hpp"

namespace cax::cvrptw {

[[nodiscard]] Problem const& problem();

} // namespace cax::cvrptw
