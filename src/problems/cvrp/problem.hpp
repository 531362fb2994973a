#pragma once
// CVRP as an entry of the registry.
#include "../routing/problem.hpp"

namespace cax::cvrp {

[[nodiscard]] routing::Problem const& problem();
[[nodiscard]] std::span<TextFormat const> text_formats();

} // namespace cax::cvrp
