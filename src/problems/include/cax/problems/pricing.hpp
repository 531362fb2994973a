#pragma once
// Relaxations whose multipliers price a problem's constraint families. A capability of problems; where it is missing,
// attribution still works with multipliers of 1 (--backend proxy).
#include "cax/model/arc_program.hpp"
#include "cax/model/linear_program.hpp"
#include "cax/problems/lagrangian.hpp"
#include "cax/problems/problem.hpp"

namespace cax {

/// Precondition: instances belong to the problem.
class Pricing {
public:
    virtual ~Pricing() = default;
    /// The linear relaxation of the reset state, every row tagged with its family (an index into
    /// ProblemInfo::families). Error if the instance is too large for one to be written out.
    [[nodiscard]] virtual Result<LinearProgram> relaxation(Instance const& instance) const = 0;
    /// The same without being written out, where it is one over arcs: for instances of any size.
    [[nodiscard]] virtual std::optional<ArcProgram> arcs(Instance const&) const { return std::nullopt; }
    /// The Lagrangian relaxation that the paper's subgradient control climbs on; it copies what it needs. Null if
    /// nobody has written one.
    [[nodiscard]] virtual std::unique_ptr<LagrangianRelaxation> lagrangian(Instance const&) const { return nullptr; }
};

/// A program over arcs has a column for every pair of nodes: written out, it is for as many nodes as this.
inline constexpr std::size_t most_nodes_written_out = 1000;
/// Error (unsupported) if it has more.
[[nodiscard]] Result<LinearProgram> written_out_if_small(ArcProgram const& program);

/// Error (unsupported) where the problem has none.
[[nodiscard]] Result<LinearProgram> relaxation_of(Instance const& instance);
/// Nothing where the relaxation is not one over arcs.
[[nodiscard]] std::optional<ArcProgram> arc_relaxation_of(Instance const& instance);
[[nodiscard]] Result<std::unique_ptr<LagrangianRelaxation>> lagrangian_of(Instance const& instance);

} // namespace cax
