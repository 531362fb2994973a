#pragma once
// The Lagrangian relaxation behind the paper's negative control, for one instance.
#include "cax/problems/cvrptw/instance.hpp"
#include "cax/problems/lagrangian.hpp"

#include <memory>

namespace cax::cvrptw {

/// It copies what it needs of the instance.
[[nodiscard]] std::unique_ptr<LagrangianRelaxation> lagrangian(Instance const& instance);

} // namespace cax::cvrptw
