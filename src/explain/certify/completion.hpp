#pragma once
// Finishing an episode from any state: where possible witnesses come from.
#include "cax/core/rng.hpp"
#include "cax/policies/policy.hpp"

#include <optional>
#include <vector>

namespace cax {

/// Actions that the policy takes from `state` until the end, its encoder run once; drawn at random where `rng` is
/// given, else the most probable ones. Nothing if it runs into a state in which no action is allowed.
[[nodiscard]] std::optional<std::vector<std::size_t>> completion(Policy const& policy, State const& state,
                                                                 Rng* rng = nullptr);

} // namespace cax
