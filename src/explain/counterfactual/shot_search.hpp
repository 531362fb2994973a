#pragma once
// Algorithm 1 of the paper, turned round: the size of a shot's change is known before the policy sees it, so shots are
// tried smallest first and the first flip is the answer. The plain loop gives the same one after every shot.
#include "counterfactual/what_if.hpp"

namespace cax {

/// Precondition: check_options().
[[nodiscard]] Counterfactual search_shots(WhatIf& what_if);

} // namespace cax
