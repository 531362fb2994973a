#pragma once
// How this problem is shown to people; see cax/problems/presentation.hpp.
#include "cax/problems/presentation.hpp"

namespace cax::cvrptw {

[[nodiscard]] Presentation const& presentation();

} // namespace cax::cvrptw
