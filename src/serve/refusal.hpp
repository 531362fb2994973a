#pragma once
// Why an instance that looks sound has no plan: where the policy got stuck, and what rule stood in the way.
#include "cax/policies/rollout.hpp"

#include <string>

namespace cax::serve {

/// Precondition: the episode came to a dead end.
[[nodiscard]] std::string words_for_dead_end(Policy const& policy, Episode const& episode);

} // namespace cax::serve
