#pragma once
// The constraint families by name; the numbers are their places in ProblemInfo::families.
#include <cstddef>

namespace cax::op {

enum Family : std::size_t { prize, budget, spatial };

} // namespace cax::op
