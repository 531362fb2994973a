#pragma once
// Policies with random weights, as a file would hold them: rl4co's parameter names, shapes and metadata, at any width
// and depth. Small ones (width 16, one layer) make end-to-end tests fast; every weight differs from 0 and from the
// others, so that a parameter read into the wrong place shows.
#include "cax/core/tensor.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace cax::test {

struct RandomPolicy {
    std::size_t embed_dim = 16;
    std::size_t layers = 1;
    std::size_t heads = 4; ///< divides embed_dim
    std::string normalization = "batch";
    bool graph_context = true;
    std::string size = {}; ///< metadata "size"; left out if empty
};

/// A policy file for "cvrptw", "op" or "fjsp". Equal arguments give equal bytes.
[[nodiscard]] TensorFile random_policy(std::string_view problem, RandomPolicy const& shape, std::uint64_t seed);
[[nodiscard]] TensorFile random_policy(std::string_view problem, std::size_t embed_dim, std::size_t layers,
                                       std::uint64_t seed);

} // namespace cax::test
