#pragma once
// The Lagrangian relaxation behind the paper's negative control, for one instance.
#include "cax/problems/lagrangian.hpp"
#include "cax/problems/op/instance.hpp"

#include <memory>

namespace cax::op {

/// It copies what it needs of the instance.
[[nodiscard]] std::unique_ptr<LagrangianRelaxation> lagrangian(Instance const& instance);

} // namespace cax::op
