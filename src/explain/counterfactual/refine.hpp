#pragma once
// Makes an answer readable: few entries, moved no further than needed, to values that a person would write down. Every
// step is tried on the policy before it is kept, so that what comes out flips the decision as what went in did.
#include "what_if.hpp"

namespace cax {

/// Drops entries that the flip does not need, shrinks the others by bisection and snaps them to the tensors' grains
/// where that keeps the flip. Only tensors that `flip` moves are moved. Not certified.
///
/// The first is the answer. After it come steps on the way to it, ever further back, and `flip` itself: should the
/// answer not be certified, one of these may be.
[[nodiscard]] std::vector<Flip> refined(WhatIf& what_if, Flip const& flip);

} // namespace cax
