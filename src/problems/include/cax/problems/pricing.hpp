#pragma once
// Relaxations whose multipliers price a problem's constraint families. A capability of problems; where it is missing,
// attribution still works with multipliers of 1 (--backend proxy).
#include "cax/model/linear_program.hpp"
#include "cax/problems/lagrangian.hpp"
#include "cax/problems/problem.hpp"

namespace cax {

/// Precondition: instances belong to the problem.
class Pricing {
public:
    virtual ~Pricing() = default;
    /// The linear relaxation of the reset state, every row tagged with its family (an index into
    /// ProblemInfo::families). Error if the instance is too large for one.
    [[nodiscard]] virtual Result<LinearProgram> relaxation(Instance const& instance) const = 0;
    /// The Lagrangian relaxation that the paper's subgradient control climbs on; it copies what it needs. Null if
    /// nobody has written one.
    [[nodiscard]] virtual std::unique_ptr<LagrangianRelaxation> lagrangian(Instance const&) const { return nullptr; }
};

/// Error (unsupported) where the problem has none.
[[nodiscard]] Result<LinearProgram> relaxation_of(Instance const& instance);
[[nodiscard]] Result<std::unique_ptr<LagrangianRelaxation>> lagrangian_of(Instance const& instance);

} // namespace cax
