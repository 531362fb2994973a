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
#include "../routing/problem.hpp"
#include "fields.hpp"

#include <algorithm>

namespace cax::cvrptw {
namespace {

/// The time that no vehicle can need: big enough to make a row say nothing.
double big_time(Data const& data) {
    double const latest = std::ranges::max_element(data.time_windows, {}, &Window::close)->close;
    double longest = 0;
    for_each_arc(data.locs.size(), [&](std::size_t i, std::size_t j) {
        longest = std::max(longest, routing::arc_length(data.locs[i], data.locs[j]));
    });
    return latest + static_cast<double>(data.locs.size()) * longest;
}

/// If a vehicle drives from i to j, it arrives at j no earlier than it left i plus the way.
LinkGroup time_links(Data const& data, std::size_t first_arrival, std::size_t after) {
    return {time_window, first_arrival, after,
            [locs = data.locs, durations = data.durations, big = big_time(data)](std::size_t i, std::size_t j) {
                if (j == 0) return std::optional<Link>();
                return std::optional(Link{big, routing::arc_length(locs[i], locs[j]) + durations[i] - big});
            }};
}

} // namespace

ArcProgram Instance::arc_program() const {
    LinearProgram core(Sense::minimise, problem().info().families.size());
    std::size_t const first_arrival = core.columns();
    for (Window const& window : data_.time_windows) core.add_column(between(window.open, window.close));
    std::size_t const first_load = core.columns();
    for (std::size_t i = 0; i < nodes(); ++i) core.add_column(between(0, 1));

    routing::ArcRows rows = routing::add_visit_rows(core, nodes(), spatial);
    std::size_t const visits = core.rows();
    routing::add_demand_rows(core, data_.demand, first_load, capacity);
    ArcProgram program =
        routing::arc_program(data_.locs, std::move(core), std::move(rows), routing::problem_of(*this).leg_rule());
    program.links.push_back(routing::load_links(data_.demand, first_load, capacity, visits));
    program.links.push_back(time_links(data_, first_arrival, program.core.rows()));
    return program;
}

} // namespace cax::cvrptw
