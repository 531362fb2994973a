#pragma once
// The three files behind compare_lambda(): what the policy says and its gradients; masses and scores; multipliers.
#include "published/golden.hpp"

#include "cax/policies/rollout.hpp"

namespace cax::parity {

/// Relative to the largest number of the tensor's row, as all double numbers of this format.
inline constexpr double reference64_tolerance = 1e-8;
/// The same for single precision.
[[nodiscard]] double reference32_tolerance(ReferenceCheck const& check);

[[nodiscard]] std::string at_cell(std::string const& name, std::size_t b, std::size_t t);
/// All decisions, instance by instance.
[[nodiscard]] std::vector<Decision> reference_cells(ReferenceCheck const& check);

/// Masses of all kinds, node scores, and Lambda scores given the recorded multipliers.
[[nodiscard]] Result<void> compare_masses(ReferenceCheck& check, GoldenTensors& golden);
/// LP objectives and rows, multipliers that the LP determines, ends of the dual face, recorded duals, the subgradient
/// control.
[[nodiscard]] Result<void> compare_multipliers(ReferenceCheck& check, GoldenTensors& golden);

} // namespace cax::parity
