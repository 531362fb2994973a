#pragma once
// Does a policy give the same answer twice? One with dropout left on, with random scores or with a memory of its own does
// not, and nothing that is said about its decisions would hold the next time.
#include "cax/policies/policy.hpp"
#include "cax/policies/rollout.hpp"

namespace cax {

/// Asks about the first state of the instance twice. Error if the answers differ by more than rounding. Networks of our
/// own are not asked: theirs have the same bits. Precondition: the policy accepts the instance.
[[nodiscard]] Result<void> check_repeatable(Policy const& policy, Instance const& instance);

/// Allowed actions to which the policy gives the probability 0: by a rule of its own, which no problem knows.
struct RuledOut {
    std::size_t actions = 0;   ///< of all decisions together
    std::size_t decisions = 0; ///< that have some
};
[[nodiscard]] RuledOut ruled_out(Episode const& episode);

} // namespace cax
