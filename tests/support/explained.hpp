#pragma once
// An episode of a policy, explained: rollout() and explain() in one call.
#include "cax/explain/explanation.hpp"

namespace cax::test {

inline Result<Explanation> explained(Policy const& policy, InstancePtr const& instance, ExplainOptions const& options,
                                     RolloutOptions const& following = {.state = {.encode = EncodeMode::once}}) {
    auto const episode = rollout(policy, instance, following);
    if (!episode) return episode.error();
    return explain(policy, *episode, options);
}

/// Along somebody else's plan.
inline Result<Explanation> explained(Policy const& policy, InstancePtr const& instance, ExplainOptions const& options,
                                     ExternalPlan const& plan) {
    auto const episode = rollout_external(policy, instance, plan, {.encode = EncodeMode::once});
    if (!episode) return episode.error();
    return explain(policy, *episode, options);
}

} // namespace cax::test
