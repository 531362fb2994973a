#pragma once
// Which rule kept the policy from its favourite? Actions that one rule alone forbids are allowed for a moment, all of
// that family together, and the policy is asked again, everything else as it is (masks reach inside the network, too).
// If it then prefers one of them, that rule blocked its favourite. Silent where there is nothing to say, which is most
// of the time.
//
// What an answer lets you conclude: with that rule lifted in this one step, the policy would have chosen this action.
// It does not say that the action would have been any good, or what would have followed.
#include "cax/policies/rollout.hpp"
#include "cax/problems/presentation.hpp"

#include <span>
#include <vector>

namespace cax {

struct Forbidden {
    Slack rule;             ///< the family and the numbers of the rule: used, limit, slack < 0
    std::size_t action = 0; ///< the favourite that it blocked
    double probability = 0; ///< that the policy would give it, with the rule lifted
    std::size_t lifted = 0; ///< so many actions were forbidden by this family alone
    bool by_policy = false; ///< the environment would have allowed it: the policy looks ahead
};

/// At most one per family, in the order of families. One decision of the network per family that forbids something.
/// Precondition: `before` are the actions that led to the decision's state.
[[nodiscard]] std::vector<Forbidden> forbidden(Policy const& policy, Decision const& decision,
                                               std::span<std::size_t const> before);

} // namespace cax
