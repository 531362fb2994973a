#pragma once
// Wrong times and wrong machines.
#include "cax/problems/noise.hpp"

namespace cax::fjsp {

[[nodiscard]] Noise const& noise();

} // namespace cax::fjsp
