#pragma once
// Does the policy answer a change the wrong way round? The problem's own rules of thumb tell which way a change speaks.
#include "cax/policies/rollout.hpp"
#include "cax/explain/flip.hpp"

namespace cax {

/// By some rule of thumb the change speaks against the new action and for the old one, and by none the other way. False
/// where a rule of the problem decides (one of the two is not allowed before or after), or no rule of thumb knows both.
[[nodiscard]] bool answers_the_wrong_way(Decision const& decision, Flip const& flip);

} // namespace cax
