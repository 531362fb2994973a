#pragma once
// A small instance whose numbers can be followed by hand, and a rough kind of random one that no generator would make.
#include "cax/problems/cvrptw/instance.hpp"
#include "cax/problems/registry.hpp"

#include <gtest/gtest.h>

namespace cax::cvrptw::test {

using InstanceHandle = std::shared_ptr<Instance const>;

/// Capacity 10. Customer 1 at (3, 4), demand 3, window [8, 20], service 2; customer 2 at (6, 8), demand 4, window
/// [0, 30], service 3; customer 3 at (0, 10), demand 5, window [40, 60], service 4. Depot at the origin until 100.
[[nodiscard]] Data three_customers();

/// make() of data that must be valid.
[[nodiscard]] InstanceHandle make(Data data);
/// The message with which make() refuses.
[[nodiscard]] std::string refusal(Data data);

/// Any windows, service times and demands, integral or not: customers may be out of reach and episodes end in dead
/// ends.
[[nodiscard]] Data rough_data(std::size_t customers, Rng& rng);

[[nodiscard]] Problem const& cvrptw_problem();
[[nodiscard]] InstanceHandle generated(std::size_t customers, std::uint64_t seed, Options const& options = {});

} // namespace cax::cvrptw::test
