#pragma once
// A small instance whose numbers can be followed by hand, and generated ones.
#include "cax/problems/cvrp/instance.hpp"
#include "cax/problems/registry.hpp"

#include <gtest/gtest.h>

namespace cax::cvrp::test {

using InstanceHandle = std::shared_ptr<Instance const>;

/// Capacity 10, depot at the origin. Customer 1 at (3, 4) with demand 3, customer 2 at (6, 8) with demand 4, customer 3
/// at (0, 10) with demand 5.
[[nodiscard]] Data three_customers();

/// make() of data that must be valid.
[[nodiscard]] InstanceHandle make(Data data);
[[nodiscard]] Problem const& cvrp_problem();
[[nodiscard]] InstanceHandle generated(std::size_t customers, std::uint64_t seed, Options const& options = {});

} // namespace cax::cvrp::test
