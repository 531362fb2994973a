// The linear relaxation: x_ij in [0,1] says whether the tour goes from i to j, z_i >= 0 whether it visits i, u_i in
// [0,N+1] is i's place in the tour; the collected prize is maximised. Rows, in this order (n = N+1 nodes):
//
//   prize    z_0 = 1; z_i <= 1 of each customer
//   budget   sum d_ij x_ij <= the state's max_length of the depot
//   spatial  z_i = in-degree and z_i = out-degree of each node (the depot's in-degree is redundant);
//            u_j >= u_i + 1 - n (1 - x_ij) for customers i != j, lexicographic
#include "cax/problems/op/instance.hpp"

#include "../routing/arcs.hpp"
#include "../routing/distances.hpp"
#include "fields.hpp"

namespace cax::op {
namespace {

/// The depot is visited, and a customer at most once.
void add_prize_rows(LinearProgram& program, std::size_t first_visit, std::size_t nodes) {
    program.add_row(exactly(1), prize, std::array{Term{first_visit, 1}});
    for (std::size_t i = 1; i < nodes; ++i) program.add_row(at_most(1), prize, std::array{Term{first_visit + i, 1}});
}

/// The tour is no longer than allowed.
void add_budget_row(LinearProgram& program, routing::ArcColumns const& arcs, Matrix<double> const& distance,
                    double limit) {
    std::vector<Term> length;
    for (std::size_t i = 0; i < arcs.nodes(); ++i) {
        for (std::size_t j = 0; j < arcs.nodes(); ++j) {
            if (i != j) length.push_back({arcs(i, j), distance(i, j)});
        }
    }
    program.add_row(at_most(limit), budget, length);
}

} // namespace

Result<LinearProgram> Instance::relaxation() const {
    if (auto ok = routing::check_relaxation_size(nodes()); !ok) return ok.error();
    LinearProgram program(Sense::maximise, problem().info().families.size());
    routing::ArcColumns const arcs(program, nodes(), [](std::size_t, std::size_t) { return 0.0; });
    std::size_t const first_visit = program.columns();
    for (float value : data_.prize) program.add_column(at_least(0), value);
    std::size_t const first_place = program.columns();
    for (std::size_t i = 0; i < nodes(); ++i) program.add_column(between(0, static_cast<double>(nodes())));

    add_prize_rows(program, first_visit, nodes());
    add_budget_row(program, arcs, routing::exact_distances(data_.locs), arrival_limits_[0]);
    routing::add_optional_visit_rows(program, arcs, first_visit, spatial);
    routing::add_order_rows(program, arcs, first_place, spatial);
    return program;
}

} // namespace cax::op
