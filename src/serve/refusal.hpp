#pragma once
// Why an instance that looks sound has no plan: where the policy got stuck, and what rule stood in the way.
#include "cax/policies/rollout.hpp"

#include <map>
#include <string>

namespace cax::serve {

/// Nothing if the episode comes to an end. With the same decisions insisted on as the episode that did not.
[[nodiscard]] std::optional<std::string> why_stuck(Policy const& policy, Instance const& instance,
                                                   std::map<std::size_t, std::size_t> const& insisted,
                                                   StateOptions const& options);

} // namespace cax::serve
