#pragma once
// TSP as an entry of the registry.
#include "../routing/problem.hpp"

namespace cax::tsp {

[[nodiscard]] routing::Problem const& problem();
[[nodiscard]] std::span<TextFormat const> text_formats();

} // namespace cax::tsp
