#pragma once
// The constraint families by name; the numbers are their places in ProblemInfo::families.
#include <cstddef>

namespace cax::cvrptw {

enum Family : std::size_t { capacity, time_window, spatial };

} // namespace cax::cvrptw
