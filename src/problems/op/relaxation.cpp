#include "relaxation.hpp"

#include "../arc_columns.hpp"
#include "../exact_distances.hpp"
#include "families.hpp"

#include <array>
#include <fmt/format.h>

namespace cax::op {
namespace {

/// The depot is visited, and a customer at most once.
void add_prize_rows(LinearProgram& program, std::size_t first_visit, std::size_t nodes) {
    program.add_row(exactly(1), prize, std::array{Term{first_visit, 1}});
    for (std::size_t i = 1; i < nodes; ++i) program.add_row(at_most(1), prize, std::array{Term{first_visit + i, 1}});
}

/// The tour is no longer than allowed.
void add_budget_row(LinearProgram& program, ArcColumns const& arcs, Matrix<double> const& distance, double limit) {
    std::vector<Term> length;
    for (std::size_t i = 0; i < arcs.nodes(); ++i) {
        for (std::size_t j = 0; j < arcs.nodes(); ++j) {
            if (i != j) length.push_back({arcs(i, j), distance(i, j)});
        }
    }
    program.add_row(at_most(limit), budget, length);
}

/// A visited node is entered once and left once. Entering and leaving add up to the same, so one row says nothing new.
void add_degree_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t first_visit) {
    auto const visits_minus = [&](std::size_t i, std::vector<Term> arcs_of_node) {
        for (Term& term : arcs_of_node) term.coefficient = -1;
        arcs_of_node.push_back({first_visit + i, 1});
        return arcs_of_node;
    };
    for (std::size_t i = 0; i < arcs.nodes(); ++i) {
        program.add_row(exactly(0), spatial, visits_minus(i, arcs.entering(i)), /*redundant=*/i == 0);
        program.add_row(exactly(0), spatial, visits_minus(i, arcs.leaving(i)));
    }
}

/// If the tour goes from customer i to customer j, then j's place is after i's.
void add_order_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t first_place) {
    auto const n = static_cast<double>(arcs.nodes());
    for (std::size_t i = 1; i < arcs.nodes(); ++i) {
        for (std::size_t j = 1; j < arcs.nodes(); ++j) {
            if (i == j) continue;
            program.add_row(at_least(1 - n), spatial,
                            std::array{Term{first_place + j, 1}, Term{first_place + i, -1}, Term{arcs(i, j), -n}});
        }
    }
}

} // namespace

Result<LinearProgram> relaxation(Instance const& instance) {
    std::size_t const nodes = instance.nodes();
    if (nodes > max_relaxation_nodes) {
        return Error{ErrorCode::unsupported, fmt::format("linear relaxation: {} nodes are more than the {} supported",
                                                         nodes, max_relaxation_nodes)};
    }
    Matrix<double> const distance = exact_distances(instance.data().locs);

    LinearProgram program(Sense::maximise, instance.problem().info().families.size());
    ArcColumns const arcs(program, nodes, [](std::size_t, std::size_t) { return 0.0; });
    std::size_t const first_visit = program.columns();
    for (float value : instance.data().prize) program.add_column(at_least(0), value);
    std::size_t const first_place = program.columns();
    for (std::size_t i = 0; i < nodes; ++i) program.add_column(between(0, static_cast<double>(nodes)));

    add_prize_rows(program, first_visit, nodes);
    add_budget_row(program, arcs, distance, instance.arrival_limits()[0]);
    add_degree_rows(program, arcs, first_visit);
    add_order_rows(program, arcs, first_place);
    return program;
}

Result<LinearProgram> Instance::relaxation() const { return op::relaxation(*this); }

} // namespace cax::op
