#pragma once
// A linear program over the arcs of a complete graph that need not be written down: a core of few columns and rows, a
// column x_ij for every arc, and link rows, each of which belongs to one arc and puts numbers of its two nodes (load,
// clock, place) in order. Everything about an arc is computed when it is asked for, so that a program of n nodes takes
// memory in proportion to n although it has n^2 columns and rows.
//
// written_out() is the same program with everything in its place: what small instances are solved by, and what the
// other form is tested against.
#include "cax/model/linear_program.hpp"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace cax {

/// The column x_ij: between 0 and 1 (a bound that the core's rows imply), or 0 if the arc does not exist.
struct ArcColumn {
    bool exists = true;
    double cost = 0;

    void add(std::size_t row, double coefficient) { terms_[count_++] = {row, coefficient}; }
    /// In the core's rows; Term::column is a row.
    [[nodiscard]] std::span<Term const> terms() const { return {terms_.data(), count_}; }

private:
    std::array<Term, 5> terms_{};
    std::size_t count_ = 0;
};

/// v_j - v_i - big x_ij >= least.
struct Link {
    double big = 0;
    double least = 0;
};

struct LinkGroup {
    std::size_t family = 0;
    std::size_t first_value = 0; ///< v_i is the core's column first_value + i
    std::size_t after = 0;       ///< so many of the core's rows come before these when all is written out
    std::function<std::optional<Link>(std::size_t, std::size_t)> link; ///< of an arc; nothing if it has none
};

struct ArcProgram {
    std::size_t nodes = 0;
    LinearProgram core; ///< its rows do not list their terms on arcs
    std::function<ArcColumn(std::size_t, std::size_t)> arc;
    std::function<double(std::size_t, std::size_t)> length; ///< which arcs are short: the ones to begin with
    std::vector<LinkGroup> links;

    /// How many rows each family has when all is written out.
    [[nodiscard]] std::vector<std::size_t> rows_of_families() const;
};

/// Calls visit(i, j) for every arc, in lexicographic order.
template <class Visit> void for_each_arc(std::size_t nodes, Visit const& visit) {
    for (std::size_t i = 0; i < nodes; ++i) {
        for (std::size_t j = 0; j < nodes; ++j) {
            if (i != j) visit(i, j);
        }
    }
}

/// Columns: the arcs in lexicographic order, then the core's. Rows: the core's, each group of links after those that it
/// says, in lexicographic order.
[[nodiscard]] LinearProgram written_out(ArcProgram const& program);

} // namespace cax
