#pragma once
// Solomon's text format: name, fleet, then one row per node (id, x, y, demand, ready time, due date, service time).
#include "cax/problems/exchange.hpp"

namespace cax::cvrptw {

[[nodiscard]] std::span<TextFormat const> text_formats();

} // namespace cax::cvrptw
