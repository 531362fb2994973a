#pragma once
// Small attention networks with random weights and random states, for tests that look inside.
#include "attention.hpp"
#include "cax/core/rng.hpp"
#include "network_policy.hpp"

namespace cax::test {

struct SmallShape {
    std::size_t width = 16;
    std::size_t heads = 4;
    std::size_t layers = 2;
    nn::NormKind norm = nn::NormKind::batch;
    bool graph_context = true;
    double temperature = 1;
};

/// Three features per customer, two per depot, two context scalars. Values of order 1, variances positive.
template <class R> [[nodiscard]] std::unique_ptr<AttentionNetwork<R>> small_network(SmallShape const& shape, Rng rng);

/// A state of that network with `customers` customers; at least one action is allowed.
[[nodiscard]] GraphObservation random_state(std::size_t customers, Rng rng);

/// The policy of a network read from a file's tensors, without asking which problem it is for.
template <class R>
[[nodiscard]] Result<std::unique_ptr<Policy>> policy_from(TensorFile const& file, PolicyOptions const& options = {});

} // namespace cax::test
