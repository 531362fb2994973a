#pragma once
// The .fjs text format of the literature (Brandimarte and most others): a line "jobs machines [average flexibility]",
// then one line per job: the number of operations, and for each the number of alternatives and that many pairs
// "machine time". Machines count from 1 in most collections and from 0 in some.
//
// Options of the reader: machines-from = 0 | 1 (default: any machine 0 means 0, otherwise 1); pad-to = none | max |
// a number ("max": the longest job's length times the number of jobs, as rl4co's generator pads).
#include "cax/problems/exchange.hpp"

namespace cax::fjsp {

[[nodiscard]] std::span<TextFormat const> text_formats();

} // namespace cax::fjsp
