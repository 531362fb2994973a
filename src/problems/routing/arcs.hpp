#pragma once
// The columns x_ij of a routing relaxation, one for every pair of different nodes, in lexicographic order, and the rows
// that several problems have. Arithmetic is double precision on the instance's float32 numbers.
#include "cax/core/matrix.hpp"
#include "cax/core/result.hpp"
#include "cax/model/linear_program.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace cax::routing {

class ArcColumns {
public:
    /// Adds 0 <= x_ij <= 1 for all i != j, at the given cost per arc. Degree rows imply the upper bounds.
    template <class Cost>
    ArcColumns(LinearProgram& program, std::size_t nodes, Cost const& cost)
        : ArcColumns(program, nodes, cost, [](std::size_t, std::size_t) { return true; }) {}
    /// The same; x_ij = 0 of arcs that do not exist.
    template <class Cost, class Exists>
    ArcColumns(LinearProgram& program, std::size_t nodes, Cost const& cost, Exists const& exists)
        : column_(nodes, nodes) {
        for (std::size_t i = 0; i < nodes; ++i) {
            for (std::size_t j = 0; j < nodes; ++j) {
                if (i == j) continue;
                bool const there = exists(i, j);
                column_(i, j) = program.add_column(between(0, there ? 1 : 0), cost(i, j), there);
            }
        }
    }

    [[nodiscard]] std::size_t operator()(std::size_t i, std::size_t j) const { return column_(i, j); }
    [[nodiscard]] std::size_t nodes() const { return column_.rows(); }

    /// sum_j x_ij
    [[nodiscard]] std::vector<Term> leaving(std::size_t i) const {
        std::vector<Term> terms;
        for (std::size_t j = 0; j < nodes(); ++j) {
            if (j != i) terms.push_back({column_(i, j), 1});
        }
        return terms;
    }
    /// sum_j x_ji
    [[nodiscard]] std::vector<Term> entering(std::size_t i) const {
        std::vector<Term> terms;
        for (std::size_t j = 0; j < nodes(); ++j) {
            if (j != i) terms.push_back({column_(j, i), 1});
        }
        return terms;
    }

private:
    Matrix<std::size_t> column_;
};

/// Error if the instance has more nodes than a program with a column per pair can hold.
[[nodiscard]] Result<void> check_relaxation_size(std::size_t nodes);

/// Each customer is left once and entered once, customer by customer; as many vehicles return to the depot as leave it
/// (redundant).
void add_visit_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t family);
/// Every node is left once and entered once, node by node. Leaving and entering add up to the same, so one row (node
/// 0's in-degree) says nothing new.
void add_tour_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t family);
/// z_i = in-degree and z_i = out-degree of each node, z_i the columns from `first_visit` on. Entering and leaving add
/// up to the same, so one row (the depot's in-degree) says nothing new.
void add_optional_visit_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t first_visit,
                             std::size_t family);
/// u_j >= u_i + 1 - n (1 - x_ij) for customers i != j: if the tour goes from i to j, then j's place is after i's.
void add_order_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t first_place, std::size_t family);
/// u_j >= u_i + q_j - Q (1 - x_ij) for i != j, j != 0: if a vehicle drives from i to j, the load after j is at least
/// the load after i plus j's demand. Then u_i >= q_i of each customer. Q = 1, as the state has it.
void add_load_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t first_load,
                   std::span<float const> demand, std::size_t family);

} // namespace cax::routing
