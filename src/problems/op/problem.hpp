#pragma once
// The orienteering problem, as the rest of cax sees it.
#include "cax/problems/problem.hpp"

namespace cax::op {

[[nodiscard]] Problem const& problem();

} // namespace cax::op
