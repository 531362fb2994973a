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

ArcProgram Instance::arc_program() const {
    LinearProgram core(Sense::minimise, problem().info().families.size());
    for (std::size_t i = 0; i < nodes(); ++i) core.add_column({});
    routing::ArcRows rows = routing::add_tour_rows(core, nodes(), spatial);
    for (std::size_t i = 0; i < nodes(); ++i) {
        auto const [open, close] = data_.time_windows[i];
        core.add_row(between(open, close), time_window, std::array{Term{i, 1}});
    }
    auto const in_time = [locs = data_.locs, windows = data_.time_windows](std::size_t i, std::size_t j) {
        double const way = routing::arc_length(locs[i], locs[j]);
        return j == 0 || double{windows[i].open} + way <= double{windows[j].close};
    };
    auto const link = [in_time, locs = data_.locs, windows = data_.time_windows](std::size_t i, std::size_t j) {
        if (j == 0 || !in_time(i, j)) return std::optional<Link>();
        double const way = routing::arc_length(locs[i], locs[j]);
        double const big = std::max(0.0, double{windows[i].close} + way - windows[j].open);
        return std::optional(Link{big, way - big});
    };
    ArcProgram program =
        routing::arc_program(data_.locs, std::move(core), std::move(rows), routing::closed_routes, in_time);
    program.links.push_back({time_window, /*first_value=*/0, program.core.rows(), link});
    return program;
}

} // namespace cax::tsptw
