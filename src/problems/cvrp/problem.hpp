#pragma once
// CVRP as an entry of the registry.
#include "../routing/problem.hpp"

namespace cax::cvrp {

[[nodiscard]] routing::Problem const& problem();

} // namespace cax::cvrp
