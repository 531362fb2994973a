#include "reference.hpp"

#include "must.hpp"

#include "progress_bar.hpp"

#include "cax/kept/reference.hpp"

namespace cax::cli {

void add_reference(ExplainOptions& options, std::uint64_t decisions, LoadedPolicy const& policy) {
    if (!options.sensitivity) return;
    ProgressBar bar("measuring what is usual for this policy, once");
    ReferenceOptions reference;
    reference.decisions = decisions;
    reference.sensitivity = options.sensitivities;
    reference.state = options.state_options;
    reference.threads = options.threads;
    reference.policy_sha256 = policy.sha256;
    reference.progress = bar.callback();
    options.reference = must(kept_reference(*policy.problem, *policy.policy, policy.path, reference));
}

} // namespace cax::cli
