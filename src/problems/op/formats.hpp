#pragma once
// OPLib's text format, TSPLIB's manner: "KEY : value" lines, then sections of coordinates, scores and the depot.
//
// The depot becomes node 0 wherever it stands in the file; the other nodes become customers 1, 2, ... in the order of
// their numbers. With the depot first, as usual, node k of the file is customer k - 1.
#include "cax/problems/exchange.hpp"

namespace cax::op {

[[nodiscard]] std::span<TextFormat const> text_formats();

} // namespace cax::op
