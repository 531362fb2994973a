#include "arcs.hpp"

#include <array>
#include <fmt/format.h>

namespace cax::routing {
namespace {

constexpr std::size_t max_relaxation_nodes = 1000;
constexpr double full_load = 1;

} // namespace

Result<void> check_relaxation_size(std::size_t nodes) {
    if (nodes <= max_relaxation_nodes) return {};
    return Error{ErrorCode::unsupported, fmt::format("linear relaxation: {} nodes are more than the {} supported",
                                                     nodes, max_relaxation_nodes)};
}

void add_visit_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t family) {
    for (std::size_t i = 1; i < arcs.nodes(); ++i) {
        program.add_row(exactly(1), family, arcs.leaving(i));
        program.add_row(exactly(1), family, arcs.entering(i));
    }
    std::vector<Term> balance = arcs.leaving(0);
    for (Term term : arcs.entering(0)) balance.push_back({term.column, -term.coefficient});
    program.add_row(exactly(0), family, balance, /*redundant=*/true);
}

void add_tour_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t family) {
    for (std::size_t i = 0; i < arcs.nodes(); ++i) {
        program.add_row(exactly(1), family, arcs.leaving(i));
        program.add_row(exactly(1), family, arcs.entering(i), /*redundant=*/i == 0);
    }
}

void add_optional_visit_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t first_visit,
                             std::size_t family) {
    auto const visits_minus = [&](std::size_t i, std::vector<Term> arcs_of_node) {
        for (Term& term : arcs_of_node) term.coefficient = -1;
        arcs_of_node.push_back({first_visit + i, 1});
        return arcs_of_node;
    };
    for (std::size_t i = 0; i < arcs.nodes(); ++i) {
        program.add_row(exactly(0), family, visits_minus(i, arcs.entering(i)), /*redundant=*/i == 0);
        program.add_row(exactly(0), family, visits_minus(i, arcs.leaving(i)));
    }
}

void add_order_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t first_place, std::size_t family) {
    auto const n = static_cast<double>(arcs.nodes());
    for (std::size_t i = 1; i < arcs.nodes(); ++i) {
        for (std::size_t j = 1; j < arcs.nodes(); ++j) {
            if (i == j) continue;
            program.add_row(at_least(1 - n), family,
                            std::array{Term{first_place + j, 1}, Term{first_place + i, -1}, Term{arcs(i, j), -n}});
        }
    }
}

void add_load_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t first_load,
                   std::span<float const> demand, std::size_t family) {
    for (std::size_t i = 0; i < arcs.nodes(); ++i) {
        for (std::size_t j = 1; j < arcs.nodes(); ++j) {
            if (i == j) continue;
            program.add_row(
                at_least(static_cast<double>(demand[j - 1]) - full_load), family,
                std::array{Term{first_load + j, 1}, Term{first_load + i, -1}, Term{arcs(i, j), -full_load}});
        }
    }
    for (std::size_t i = 1; i < arcs.nodes(); ++i) {
        program.add_row(at_least(demand[i - 1]), family, std::array{Term{first_load + i, 1}});
    }
}

} // namespace cax::routing
