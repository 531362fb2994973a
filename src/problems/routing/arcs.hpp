#pragma once
// What the linear relaxations of several routing problems have in common: arcs between places, the rows of the core
// that an arc has a part in, and links. Arithmetic is double precision on the instance's float32 numbers.
#include "cax/model/arc_program.hpp"
#include "cax/problems/point.hpp"
#include "cax/problems/routing/leg.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace cax::routing {

/// Which of the core's rows an arc i -> j has a part in.
struct ArcRows {
    std::vector<std::optional<std::size_t>> leaving;  ///< per node: x_ij is in the row of i,
    std::vector<std::optional<std::size_t>> entering; ///< and in the row of j,
    double degree = 1;                                ///< with this coefficient
    std::optional<std::size_t> balance;               ///< leaving the depot minus entering it
    std::optional<std::size_t> fleet;                 ///< leaving the depot
    std::optional<std::size_t> length;                ///< d_ij x_ij
};

/// Does the arc i -> j exist?
using ArcExists = std::function<bool(std::size_t, std::size_t)>;

/// The core without links; an arc costs what `rule` makes of its length. `exists` may be empty: all do.
[[nodiscard]] ArcProgram arc_program(std::vector<Point> places, LinearProgram core, ArcRows rows,
                                     LegRule rule = closed_routes, ArcExists exists = {});

/// Each customer is left once and entered once, customer by customer; as many vehicles return to the depot as leave it
/// (redundant).
[[nodiscard]] ArcRows add_visit_rows(LinearProgram& core, std::size_t nodes, std::size_t family);
/// Every node is left once and entered once, node by node. Leaving and entering add up to the same, so one row (node
/// 0's in-degree) says nothing new.
[[nodiscard]] ArcRows add_tour_rows(LinearProgram& core, std::size_t nodes, std::size_t family);
/// z_i = in-degree and z_i = out-degree of each node, z_i the columns from `first_visit` on. Entering and leaving add
/// up to the same, so one row (the depot's in-degree) says nothing new.
[[nodiscard]] ArcRows add_optional_visit_rows(LinearProgram& core, std::size_t nodes, std::size_t first_visit,
                                              std::size_t family);
/// u_j >= u_i + 1 - n (1 - x_ij) for customers i != j: if the tour goes from i to j, then j's place is after i's.
[[nodiscard]] LinkGroup order_links(std::size_t nodes, std::size_t first_place, std::size_t family, std::size_t after);
/// u_j >= u_i + q_j - Q (1 - x_ij) for i != j, j != 0: if a vehicle drives from i to j, the load after j is at least
/// the load after i plus j's demand. Q = 1, as the state has it.
[[nodiscard]] LinkGroup load_links(std::vector<float> demand, std::size_t first_load, std::size_t family,
                                   std::size_t after);
/// u_i >= q_i of each customer.
void add_demand_rows(LinearProgram& core, std::span<float const> demand, std::size_t first_load, std::size_t family);

} // namespace cax::routing
