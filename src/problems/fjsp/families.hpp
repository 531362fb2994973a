#pragma once
// The constraint families by name; the numbers are their places in ProblemInfo::families.
#include <cstddef>

namespace cax::fjsp {

enum Family : std::size_t { precedence, eligibility };

} // namespace cax::fjsp
