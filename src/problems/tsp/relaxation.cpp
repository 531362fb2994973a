// The linear relaxation: x_ij in [0,1] says whether the tour goes from i to j, u_i in [0,N] is i's place in the tour;
// the length is minimised. Rows, in this order, all of the only family:
//
//   degree   out-degree = 1 and in-degree = 1 of each city (the first in-degree is redundant)
//   subtour  u_j >= u_i + 1 - N (1 - x_ij) for i != j, both not city 0, lexicographic
#include "cax/problems/tsp/instance.hpp"

#include "../routing/arcs.hpp"
#include "fields.hpp"

namespace cax::tsp {

ArcProgram Instance::arc_program() const {
    LinearProgram core(Sense::minimise, problem().info().families.size());
    for (std::size_t i = 0; i < nodes(); ++i) core.add_column(between(0, static_cast<double>(nodes())));
    routing::ArcRows rows = routing::add_tour_rows(core, nodes(), spatial);
    ArcProgram program = routing::arc_program(data_.locs, std::move(core), std::move(rows));
    program.links.push_back(routing::order_links(nodes(), /*first_place=*/0, spatial, program.core.rows()));
    return program;
}

} // namespace cax::tsp
