// The linear relaxation: x_ij in [0,1] says whether the tour goes from i to j, u_i in [0,N] is i's place in the tour;
// the length is minimised. Rows, in this order, all of the only family:
//
//   degree   out-degree = 1 and in-degree = 1 of each city (the first in-degree is redundant)
//   subtour  u_j >= u_i + 1 - N (1 - x_ij) for i != j, both not city 0, lexicographic
#include "cax/problems/tsp/instance.hpp"

#include "../routing/arcs.hpp"
#include "../routing/distances.hpp"
#include "fields.hpp"

namespace cax::tsp {

Result<LinearProgram> Instance::relaxation() const {
    if (auto ok = routing::check_relaxation_size(nodes()); !ok) return ok.error();
    Matrix<double> const distance = routing::exact_distances(data_.locs);
    LinearProgram program(Sense::minimise, problem().info().families.size());
    routing::ArcColumns const arcs(program, nodes(), [&](std::size_t i, std::size_t j) { return distance(i, j); });
    std::size_t const first_place = program.columns();
    for (std::size_t i = 0; i < nodes(); ++i) program.add_column(between(0, static_cast<double>(nodes())));
    routing::add_tour_rows(program, arcs, spatial);
    routing::add_order_rows(program, arcs, first_place, spatial);
    return program;
}

} // namespace cax::tsp
