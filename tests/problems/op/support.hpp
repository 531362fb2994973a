#pragma once
// A small instance whose numbers can be followed by hand, and ways to make others.
#include "cax/problems/op/instance.hpp"
#include "cax/problems/registry.hpp"

#include <gtest/gtest.h>

namespace cax::op::test {

using InstanceHandle = std::shared_ptr<Instance const>;

/// Depot at the origin, limit 25. Customer 1 at (3, 4) with prize 1, customer 2 at (6, 8) with prize 2, customer 3 at
/// (0, 12) with prize 4.
[[nodiscard]] Data three_customers();

/// make() of data that must be valid.
[[nodiscard]] InstanceHandle make(Data data);
/// The message with which make() refuses.
[[nodiscard]] std::string refusal(Data data);

/// Coordinates of any scale, prizes that may be 0, and a limit that may let no customer be visited.
[[nodiscard]] Data rough_data(std::size_t customers, Rng& rng);

[[nodiscard]] Problem const& op_problem();
[[nodiscard]] InstanceHandle generated(std::size_t customers, std::uint64_t seed, Options const& options = {});

} // namespace cax::op::test
