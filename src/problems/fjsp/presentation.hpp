#pragma once
// How this problem is shown to people; see cax/problems/presentation.hpp.
#include "cax/problems/presentation.hpp"

namespace cax::fjsp {

[[nodiscard]] Presentation const& presentation();

} // namespace cax::fjsp
