#pragma once
// What a policy's sensitivity usually is: measured once per policy, then kept. A table is looked for beside the policy
// (policy.reference.json) and in the user's cache ($CAX_CACHE, else $XDG_CACHE_HOME/cax, else ~/.cache/cax); one that
// was made of other weights, another size or other settings is never used.
#include "inputs.hpp"

#include "cax/explain/sensitivity_reference.hpp"

namespace cax::cli {

/// Null if none is wanted, or the problem cannot be measured. A cache that cannot be written to is no error: the table
/// is then made anew each time.
[[nodiscard]] Result<std::shared_ptr<ReferenceTable const>> reference_for(LoadedPolicy const& policy,
                                                                          ReferenceOptions const& options);

} // namespace cax::cli
