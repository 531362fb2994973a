#pragma once
// Problems whose solutions are one tour through most or all nodes: every tour there is, tried one by one.
#include "cax/problems/questions.hpp"
#include "cax/problems/registry.hpp"

#include <gtest/gtest.h>

namespace cax::test {

[[nodiscard]] InstancePtr generated_tour(std::string_view problem, std::size_t size, std::uint64_t seed,
                                         Options const& options = {});

/// The cheapest solution that begins like this, found by walking through every episode the mask allows and asking the
/// checker. Nothing if there is none.
[[nodiscard]] std::optional<double> cheapest_by_trying(Instance const& instance,
                                                       std::vector<std::size_t> const& prefix = {});

/// Random episodes of generated instances, with the mask compared to a naive one at every step. `mask` is given the
/// instance and the actions so far.
using NaiveMask = std::function<std::vector<int>(Instance const& instance, std::vector<std::size_t> const& actions)>;
void expect_masks(std::string_view problem, NaiveMask const& mask, std::uint32_t episodes, Options const& options = {});

/// What the checker says about a tour, one line per violation.
[[nodiscard]] std::vector<std::string> wrong_with(Instance const& instance, std::vector<std::size_t> tour);

} // namespace cax::test
