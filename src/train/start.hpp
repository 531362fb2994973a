#pragma once
// What training has to know of a size before it begins with it.
#include "cax/policies/policy.hpp"
#include "cax/problems/problem.hpp"

#include <string>

namespace cax::train {

/// An instance of this size. Error if there is none, or the policy cannot read it.
[[nodiscard]] Result<InstancePtr> readable_instance(Problem const& problem, std::string const& size, std::uint64_t seed,
                                                    Policy const& policy);

} // namespace cax::train
