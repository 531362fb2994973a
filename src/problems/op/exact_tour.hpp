#pragma once
// The best tour by dynamic programming over sets of customers (Held and Karp's recursion): for every set and every last
// customer the shortest way there from the depot. Exact, and the only thing in this folder that proves anything; memory
// grows as 2^n n, which ends at twenty customers.
#include "cax/problems/op/instance.hpp"

#include <functional>

namespace cax::op {

inline constexpr std::size_t max_exact_customers = 20;

/// The customers that can be on a best tour: those with a prize that a tour of the allowed length reaches at all. By
/// the triangle inequality nobody else is worth a detour.
[[nodiscard]] std::vector<std::size_t> worthwhile_customers(Data const& data);

/// The tour of greatest prize, the shortest among equals, through some of these customers. Nothing if stop() became
/// true before the end. Precondition: at most max_exact_customers.
[[nodiscard]] std::optional<std::vector<std::size_t>>
best_tour(Data const& data, std::vector<std::size_t> const& customers, std::function<bool()> const& stop);

} // namespace cax::op
