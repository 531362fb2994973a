#pragma once
// Makes a flip readable: few entries, moved no further than needed, to values that a person would write down. Every
// step is tried on the policy before it is kept, so that what comes out flips the decision as what went in did.
#include "counterfactual/what_if.hpp"

namespace cax {

/// What refine() promises. Precondition: check_options().
[[nodiscard]] Refinement refined(WhatIf& what_if, Flip const& flip);

} // namespace cax
