#pragma once
// What a policy's sensitivity usually is (cax/kept/reference.hpp), with a bar while it is measured.
#include "inputs.hpp"

#include "cax/explain/explanation.hpp"

namespace cax::cli {

/// Finds or makes it, of so many decisions, if sensitivity is asked for.
void add_reference(ExplainOptions& options, std::uint64_t decisions, LoadedPolicy const& policy);

} // namespace cax::cli
