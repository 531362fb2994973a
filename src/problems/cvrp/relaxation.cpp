// The linear relaxation: x_ij in [0,1] says whether a vehicle drives from i to j, u_i in [0,Q] is the load after i; the
// length is minimised. Vehicles have capacity Q = 1, as the state has it. Rows, in this order:
//
//   spatial   out-degree = 1 and in-degree = 1 of each customer; depot balance (redundant)
//   capacity  u_j >= u_i + q_j - Q (1 - x_ij) for i != j, j != 0, lexicographic; u_i >= q_i;
//             sum_j x_0j >= sum q / Q: enough vehicles for everything, whose multiplier is the price of one
#include "cax/problems/cvrp/instance.hpp"

#include "../routing/arcs.hpp"
#include "../routing/distances.hpp"
#include "fields.hpp"

#include <numeric>

namespace cax::cvrp {

Result<LinearProgram> Instance::relaxation() const {
    if (auto ok = routing::check_relaxation_size(nodes()); !ok) return ok.error();
    Matrix<double> const distance = routing::exact_distances(data_.locs);
    LinearProgram program(Sense::minimise, problem().info().families.size());
    routing::ArcColumns const arcs(program, nodes(), [&](std::size_t i, std::size_t j) { return distance(i, j); });
    std::size_t const first_load = program.columns();
    for (std::size_t i = 0; i < nodes(); ++i) program.add_column(between(0, 1));

    routing::add_visit_rows(program, arcs, spatial);
    routing::add_load_rows(program, arcs, first_load, data_.demand, capacity);
    double const loads = std::accumulate(data_.demand.begin(), data_.demand.end(), 0.0);
    program.add_row(at_least(loads), capacity, arcs.leaving(0));
    return program;
}

} // namespace cax::cvrp
