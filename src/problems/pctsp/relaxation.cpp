// The linear relaxation: x_ij in [0,1] says whether the tour goes from i to j, z_i in [0,1] whether it visits i, y_i >=
// 0 whether i's penalty is paid, u_i in [0,N+1] is i's place in the tour; length plus penalties are minimised. Rows, in
// this order (n = N+1 nodes):
//
//   prize    sum prize_i z_i >= what is required, or all there is
//   penalty  y_i + z_i >= 1 of each customer
//   spatial  z_0 = 1; z_i = in-degree and z_i = out-degree of each node (the depot's in-degree is redundant);
//            u_j >= u_i + 1 - n (1 - x_ij) for customers i != j, lexicographic
#include "cax/problems/pctsp/instance.hpp"

#include "../routing/arcs.hpp"
#include "fields.hpp"

#include <algorithm>
#include <numeric>

namespace cax::pctsp {

ArcProgram Instance::arc_program() const {
    LinearProgram core(Sense::minimise, problem().info().families.size());
    std::size_t const first_visit = core.columns();
    core.add_column(at_least(0)); // of the depot, which a row sets to 1
    for (std::size_t i = 1; i < nodes(); ++i) core.add_column(between(0, 1));
    std::size_t const first_paid = core.columns();
    for (std::size_t i = 1; i < nodes(); ++i) core.add_column(at_least(0), data_.penalty[i]);
    std::size_t const first_place = core.columns();
    for (std::size_t i = 0; i < nodes(); ++i) core.add_column(between(0, static_cast<double>(nodes())));

    std::vector<Term> collected;
    for (std::size_t i = 1; i < nodes(); ++i) collected.push_back({first_visit + i, double{data_.prize[i - 1]}});
    double const total = std::accumulate(data_.prize.begin(), data_.prize.end(), 0.0);
    core.add_row(at_least(std::min<double>(prize_required, total)), prize, collected);
    for (std::size_t i = 1; i < nodes(); ++i) {
        core.add_row(at_least(1), penalty, std::array{Term{first_paid + i - 1, 1}, Term{first_visit + i, 1}});
    }
    core.add_row(exactly(1), spatial, std::array{Term{first_visit, 1}});
    routing::ArcRows rows = routing::add_optional_visit_rows(core, nodes(), first_visit, spatial);
    ArcProgram program = routing::arc_program(data_.locs, std::move(core), std::move(rows));
    program.links.push_back(routing::order_links(nodes(), first_place, spatial, program.core.rows()));
    return program;
}

} // namespace cax::pctsp
