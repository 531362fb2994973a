#include "reference.hpp"

#include "progress_bar.hpp"

#include "cax/kept/reference.hpp"

namespace cax::cli {

Result<std::shared_ptr<ReferenceTable const>> reference_for(LoadedPolicy const& policy, ReferenceOptions const& given) {
    ReferenceOptions options = given;
    options.policy_sha256 = policy.sha256;
    ProgressBar bar("measuring what is usual for this policy, once");
    options.progress = bar.callback();
    return kept_reference(*policy.problem, *policy.policy, policy.path, options);
}

} // namespace cax::cli
