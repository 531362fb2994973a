// The linear relaxation: x_ij in [0,1] says whether a vehicle drives from i to j, u_i in [0,Q] is the load after i; the
// length is minimised. Vehicles have capacity Q = 1, as the state has it. Rows, in this order:
//
//   spatial   out-degree = 1 and in-degree = 1 of each customer; depot balance (redundant)
//   capacity  u_j >= u_i + q_j - Q (1 - x_ij) for i != j, j != 0, lexicographic; u_i >= q_i;
//             sum_j x_0j >= sum q / Q: enough vehicles for everything, whose multiplier is the price of one
#include "cax/problems/cvrp/instance.hpp"

#include "../routing/arcs.hpp"
#include "../routing/problem.hpp"
#include "fields.hpp"

#include <numeric>

namespace cax::cvrp {

ArcProgram Instance::arc_program() const {
    LinearProgram core(Sense::minimise, problem().info().families.size());
    std::size_t const first_load = core.columns();
    for (std::size_t i = 0; i < nodes(); ++i) core.add_column(between(0, 1));

    routing::ArcRows rows = routing::add_visit_rows(core, nodes(), spatial);
    std::size_t const visits = core.rows();
    routing::add_demand_rows(core, data_.demand, first_load, capacity);
    double const loads = std::accumulate(data_.demand.begin(), data_.demand.end(), 0.0);
    rows.fleet = core.add_row(at_least(loads), capacity, {});
    ArcProgram program =
        routing::arc_program(data_.locs, std::move(core), std::move(rows), routing::problem_of(*this).leg_rule());
    program.links.push_back(routing::load_links(data_.demand, first_load, capacity, visits));
    return program;
}

} // namespace cax::cvrp
