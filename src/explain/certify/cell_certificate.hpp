#pragma once
// Certification of one counterfactual: which question is asked about which instance, and the witnesses that the policy
// itself can offer.
#include "counterfactual/what_if.hpp"

namespace cax {

/// Precondition: options().certify is not `none`. A change to which no instance belongs is refuted. Error if the
/// certifier does not understand the question.
[[nodiscard]] Result<Certificate> certify_flip(Policy const& policy, WhatIf const& what_if, Flip const& flip);

} // namespace cax
