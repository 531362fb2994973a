#pragma once
// Small knapsacks, and what is true of them by looking at every subset.
#include "cax/problems/knapsack/instance.hpp"

#include <memory>
#include <optional>

namespace cax::knapsack::test {

using InstancePointer = std::shared_ptr<Instance const>;

/// Four items; at most 10 heavy and 8 bulky.
///   item    0  1  2  3
///   value   6  5  4  1
///   weight  6  5  5  1
///   volume  2  4  4  6
[[nodiscard]] Data four_items();
[[nodiscard]] InstancePointer make(Data data);
[[nodiscard]] InstancePointer generated(std::string_view size, std::uint64_t seed);

/// The value of the best subset that contains `needed`, by trying all of them; nothing if there is none.
[[nodiscard]] std::optional<double> best_subset(Data const& data, std::vector<std::size_t> const& needed = {});

} // namespace cax::knapsack::test
