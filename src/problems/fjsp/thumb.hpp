#pragma once
// Dispatching rules.
#include "cax/problems/thumb.hpp"

namespace cax::fjsp {

[[nodiscard]] RulesOfThumb const& thumb();

} // namespace cax::fjsp
