#pragma once
// Small instances with a fleet that are hard to get right: places on top of each other, demands of 0, windows met to the
// last digit, vehicles that are exactly full. And the naive answer to what the oracle is asked.
#include "cax/problems/problem.hpp"

#include <optional>

namespace cax::test {

/// "cvrptw" or "cvrp".
[[nodiscard]] InstancePtr small_fleet(std::string_view problem, std::size_t customers, Rng& rng);

/// The least cost of all solutions that begin with the actions, by trying every order of everything. Nothing if there
/// is none.
[[nodiscard]] std::optional<double> least_cost(Instance const& instance, std::vector<std::size_t> const& prefix,
                                               std::optional<std::size_t> vehicles = {});

/// Random allowed actions, so many or until the end.
[[nodiscard]] std::vector<std::size_t> random_prefix(Instance const& instance, std::size_t steps, Rng& rng);

} // namespace cax::test
