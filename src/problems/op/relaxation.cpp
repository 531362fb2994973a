// The linear relaxation: x_ij in [0,1] says whether the tour goes from i to j, z_i >= 0 whether it visits i, u_i in
// [0,N+1] is i's place in the tour; the collected prize is maximised. Rows, in this order (n = N+1 nodes):
//
//   prize    z_0 = 1; z_i <= 1 of each customer
//   budget   sum d_ij x_ij <= the state's max_length of the depot
//   spatial  z_i = in-degree and z_i = out-degree of each node (the depot's in-degree is redundant);
//            u_j >= u_i + 1 - n (1 - x_ij) for customers i != j, lexicographic
#include "cax/problems/op/instance.hpp"

#include "../routing/arcs.hpp"
#include "fields.hpp"

namespace cax::op {
namespace {

/// The depot is visited, and a customer at most once.
void add_prize_rows(LinearProgram& core, std::size_t first_visit, std::size_t nodes) {
    core.add_row(exactly(1), prize, std::array{Term{first_visit, 1}});
    for (std::size_t i = 1; i < nodes; ++i) core.add_row(at_most(1), prize, std::array{Term{first_visit + i, 1}});
}

} // namespace

ArcProgram Instance::arc_program() const {
    LinearProgram core(Sense::maximise, problem().info().families.size());
    std::size_t const first_visit = core.columns();
    for (float value : data_.prize) core.add_column(at_least(0), value);
    std::size_t const first_place = core.columns();
    for (std::size_t i = 0; i < nodes(); ++i) core.add_column(between(0, static_cast<double>(nodes())));

    add_prize_rows(core, first_visit, nodes());
    // The tour is no longer than allowed.
    std::size_t const length = core.add_row(at_most(arrival_limits_[0]), budget, {});
    routing::ArcRows rows = routing::add_optional_visit_rows(core, nodes(), first_visit, spatial);
    rows.length = length;
    ArcProgram program = routing::arc_program(data_.locs, std::move(core), std::move(rows), routing::free_ways);
    program.links.push_back(routing::order_links(nodes(), first_place, spatial, program.core.rows()));
    return program;
}

} // namespace cax::op
