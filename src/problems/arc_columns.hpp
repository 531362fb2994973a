#pragma once
// The columns x_ij of a routing relaxation, one for every pair of different nodes, in lexicographic order.
#include "cax/core/matrix.hpp"
#include "cax/model/linear_program.hpp"

#include <cstddef>
#include <vector>

namespace cax {

class ArcColumns {
public:
    /// Adds 0 <= x_ij <= 1 for all i != j, at the given cost per arc. Degree rows imply the upper bounds.
    template <class Cost>
    ArcColumns(LinearProgram& program, std::size_t nodes, Cost const& cost) : column_(nodes, nodes) {
        for (std::size_t i = 0; i < nodes; ++i) {
            for (std::size_t j = 0; j < nodes; ++j) {
                if (i != j) column_(i, j) = program.add_column(between(0, 1), cost(i, j), true);
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

} // namespace cax
