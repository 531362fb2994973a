#pragma once
// --solution: a plan that somebody else made, in place of the policy's own.
#include "common_options.hpp"

namespace cax::cli {

void plan_option(OptionTable& table, std::string& path);
/// Of the first of the loaded instances.
[[nodiscard]] ExternalPlan external_plan(std::string const& path, Loaded const& loaded, std::string const& instances);

} // namespace cax::cli
