#pragma once
// Stacking observations into batches, and taking gradients apart again.
#include "cax/policies/tensor_policy.hpp"

namespace cax {

/// Places of observations that can share a batch: the same tensors of the same types and shapes, at most `most` of
/// them.
[[nodiscard]] std::vector<std::vector<std::size_t>> stackable(std::span<Observation const> observations,
                                                              std::size_t most);
/// Precondition: they can share a batch, and there is one at least.
[[nodiscard]] TensorBatch stack(std::span<Observation const> observations, std::span<std::size_t const> places);
/// The part of one state in gradients of the batch. Precondition: they have the batch's shapes.
[[nodiscard]] TensorObservation unstack(NamedTensors const& gradients, std::size_t row);

} // namespace cax
