#pragma once
// PCTSP as an entry of the registry.
#include "../routing/problem.hpp"

namespace cax::pctsp {

[[nodiscard]] routing::Problem const& problem();

} // namespace cax::pctsp
