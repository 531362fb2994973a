#pragma once
// What a policy's sensitivity usually is: measured once per policy, then kept. A table is looked for beside the policy
// (policy.reference.json) and in the user's cache ($CAX_CACHE, else $XDG_CACHE_HOME/cax, else ~/.cache/cax); one that
// was made of other weights, another size or other settings is never used.
#include "cax/explain/sensitivity_reference.hpp"

#include <filesystem>
#include <memory>

namespace cax {

/// `file`: the policy's own, empty if it has none; a policy without a file (options.policy_sha256 is empty) is measured
/// every time. Null if no decisions are wanted, or the problem cannot be measured. A cache that cannot be written to is
/// no error. `progress` of the options is told only if there is something to measure.
[[nodiscard]] Result<std::shared_ptr<ReferenceTable const>> kept_reference(Problem const& problem, Policy const& policy,
                                                                           std::filesystem::path const& file,
                                                                           ReferenceOptions const& options);

} // namespace cax
