// The linear relaxation: x_ij in [0,1] says whether the tour goes from i to j, a_i is the time at i; the length is
// minimised. Arcs with open_i + d_ij > close_j, j not the depot, do not exist: that is where windows bite most, and no
// multiplier sees it. Rows, in this order:
//
//   spatial      out-degree = 1 and in-degree = 1 of each node (the depot's in-degree is redundant)
//   time_window  open_i <= a_i <= close_i of each node; a_j >= a_i + d_ij - M_ij (1 - x_ij) for arcs i -> j that exist,
//                j not the depot, lexicographic, with the smallest M that says nothing where x_ij = 0:
//                M_ij = close_i + d_ij - open_j
#include "cax/problems/tsptw/instance.hpp"

#include "../routing/arcs.hpp"
#include "../routing/distances.hpp"
#include "fields.hpp"

#include <algorithm>

namespace cax::tsptw {

Result<LinearProgram> Instance::relaxation() const {
    if (auto ok = routing::check_relaxation_size(nodes()); !ok) return ok.error();
    Matrix<double> const distance = routing::exact_distances(data_.locs);
    auto const in_time = [&](std::size_t i, std::size_t j) {
        return j == 0 || double{data_.time_windows[i].open} + distance(i, j) <= double{data_.time_windows[j].close};
    };
    LinearProgram program(Sense::minimise, problem().info().families.size());
    routing::ArcColumns const arcs(
        program, nodes(), [&](std::size_t i, std::size_t j) { return distance(i, j); }, in_time);
    std::size_t const first_time = program.columns();
    for (std::size_t i = 0; i < nodes(); ++i) program.add_column({});
    routing::add_tour_rows(program, arcs, spatial);
    for (std::size_t i = 0; i < nodes(); ++i) {
        auto const [open, close] = data_.time_windows[i];
        program.add_row(between(open, close), time_window, std::array{Term{first_time + i, 1}});
    }
    for (std::size_t i = 0; i < nodes(); ++i) {
        for (std::size_t j = 1; j < nodes(); ++j) {
            if (i == j || !in_time(i, j)) continue;
            double const way = distance(i, j);
            double const big = std::max(0.0, double{data_.time_windows[i].close} + way - data_.time_windows[j].open);
            std::vector<Term> terms{{first_time + j, 1}, {first_time + i, -1}};
            if (big > 0) terms.push_back({arcs(i, j), -big});
            program.add_row(at_least(way - big), time_window, terms);
        }
    }
    return program;
}

} // namespace cax::tsptw
