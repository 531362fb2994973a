#pragma once
// How this problem is shown to people; see cax/problems/presentation.hpp.
#include "cax/problems/presentation.hpp"

namespace cax::op {

[[nodiscard]] Presentation const& presentation();

} // namespace cax::op
