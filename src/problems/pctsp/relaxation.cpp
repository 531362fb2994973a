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
#include "../routing/distances.hpp"
#include "fields.hpp"

#include <algorithm>
#include <numeric>

namespace cax::pctsp {

Result<LinearProgram> Instance::relaxation() const {
    if (auto ok = routing::check_relaxation_size(nodes()); !ok) return ok.error();
    Matrix<double> const distance = routing::exact_distances(data_.locs);
    LinearProgram program(Sense::minimise, problem().info().families.size());
    routing::ArcColumns const arcs(program, nodes(), [&](std::size_t i, std::size_t j) { return distance(i, j); });
    std::size_t const first_visit = program.columns();
    program.add_column(at_least(0)); // of the depot, which a row sets to 1
    for (std::size_t i = 1; i < nodes(); ++i) program.add_column(between(0, 1));
    std::size_t const first_paid = program.columns();
    for (std::size_t i = 1; i < nodes(); ++i) program.add_column(at_least(0), data_.penalty[i]);
    std::size_t const first_place = program.columns();
    for (std::size_t i = 0; i < nodes(); ++i) program.add_column(between(0, static_cast<double>(nodes())));

    std::vector<Term> collected;
    for (std::size_t i = 1; i < nodes(); ++i) collected.push_back({first_visit + i, double{data_.prize[i - 1]}});
    double const total = std::accumulate(data_.prize.begin(), data_.prize.end(), 0.0);
    program.add_row(at_least(std::min<double>(prize_required, total)), prize, collected);
    for (std::size_t i = 1; i < nodes(); ++i) {
        program.add_row(at_least(1), penalty, std::array{Term{first_paid + i - 1, 1}, Term{first_visit + i, 1}});
    }
    program.add_row(exactly(1), spatial, std::array{Term{first_visit, 1}});
    routing::add_optional_visit_rows(program, arcs, first_visit, spatial);
    routing::add_order_rows(program, arcs, first_place, spatial);
    return program;
}

} // namespace cax::pctsp
