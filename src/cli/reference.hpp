#pragma once
// What a policy's sensitivity usually is (cax/kept/reference.hpp), with a bar while it is measured.
#include "inputs.hpp"

#include "cax/explain/sensitivity_reference.hpp"

namespace cax::cli {

[[nodiscard]] Result<std::shared_ptr<ReferenceTable const>> reference_for(LoadedPolicy const& policy,
                                                                          ReferenceOptions const& options);

} // namespace cax::cli
