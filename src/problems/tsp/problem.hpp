#pragma once
// What problem.cpp is made of.
#include "../routing/problem.hpp"

namespace cax::tsp {

[[nodiscard]] std::span<TextFormat const> text_formats();

} // namespace cax::tsp
