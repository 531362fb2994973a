// The linear relaxation: x_ij in [0,1] says whether a vehicle drives from i to j, a_i in its window is the arrival at
// i, u_i in [0,Q] the load after i; the length is minimised. Vehicles have capacity Q = 1, as the state has it. Rows,
// in this order:
//
//   spatial      out-degree = 1 and in-degree = 1 of each customer; depot balance (redundant)
//   capacity     u_j >= u_i + q_j - Q (1 - x_ij) for i != j, j != 0, lexicographic; u_i >= q_i
//   time_window  a_j >= a_i + d_ij + s_i - M (1 - x_ij) for the same pairs, M = latest close + (N+1) max d
#include "cax/problems/cvrptw/instance.hpp"

#include "../routing/arcs.hpp"
#include "../routing/distances.hpp"
#include "fields.hpp"

#include <algorithm>

namespace cax::cvrptw {
namespace {

/// If a vehicle drives from i to j, it arrives at j no earlier than it left i plus the way.
void add_time_rows(LinearProgram& program, routing::ArcColumns const& arcs, std::size_t first_arrival, Data const& data,
                   Matrix<double> const& distance) {
    double const latest =
        std::max_element(data.time_windows.begin(), data.time_windows.end(), [](Window const& a, Window const& b) {
            return a.close < b.close;
        })->close;
    double const longest = *std::max_element(distance.values().begin(), distance.values().end());
    double const big = latest + static_cast<double>(arcs.nodes()) * longest;
    for (std::size_t i = 0; i < arcs.nodes(); ++i) {
        for (std::size_t j = 1; j < arcs.nodes(); ++j) {
            if (i == j) continue;
            program.add_row(
                at_least(distance(i, j) + data.durations[i] - big), time_window,
                std::array{Term{first_arrival + j, 1}, Term{first_arrival + i, -1}, Term{arcs(i, j), -big}});
        }
    }
}

} // namespace

Result<LinearProgram> Instance::relaxation() const {
    if (auto ok = routing::check_relaxation_size(nodes()); !ok) return ok.error();
    Matrix<double> const distance = routing::exact_distances(data_.locs);
    LinearProgram program(Sense::minimise, problem().info().families.size());
    routing::ArcColumns const arcs(program, nodes(), [&](std::size_t i, std::size_t j) { return distance(i, j); });
    std::size_t const first_arrival = program.columns();
    for (Window const& window : data_.time_windows) program.add_column(between(window.open, window.close));
    std::size_t const first_load = program.columns();
    for (std::size_t i = 0; i < nodes(); ++i) program.add_column(between(0, 1));

    routing::add_visit_rows(program, arcs, spatial);
    routing::add_load_rows(program, arcs, first_load, data_.demand, capacity);
    add_time_rows(program, arcs, first_arrival, data_, distance);
    return program;
}

} // namespace cax::cvrptw
