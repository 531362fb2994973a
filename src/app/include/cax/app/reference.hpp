#pragma once
// What a policy's sensitivity usually is: measured once per policy, then kept. A table is looked for beside the policy
// (policy.reference.json) and in the user's cache ($CAX_CACHE, else $XDG_CACHE_HOME/cax, else ~/.cache/cax); one that
// was made of other weights, another size or other settings is never used.
#include "cax/app/policy.hpp"
#include "cax/explain/explanation.hpp"

namespace cax::app {

/// Puts a table of so many decisions, of episodes with these states, into the options, if they ask for sensitivity. `asked` is the policy as the work
/// may ask it. A policy without a file is measured every time. There is none if no decisions are wanted, or the problem
/// cannot be measured. A cache that cannot be written to is no error. `progress` is told only if there is something to
/// measure.
[[nodiscard]] Result<void> add_reference(ExplainOptions& options, std::uint64_t decisions, StateOptions const& state,
                                         LoadedPolicy const& policy, Policy const& asked, Progress const& progress);

} // namespace cax::app
