#pragma once
// The flexible job shop as a Problem: a thin adapter over this folder.
#include "cax/problems/problem.hpp"

namespace cax::fjsp {

[[nodiscard]] Problem const& problem();

} // namespace cax::fjsp
