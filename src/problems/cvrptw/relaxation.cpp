#include "relaxation.hpp"

#include "../arc_columns.hpp"
#include "../exact_distances.hpp"
#include "families.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace cax::cvrptw {
namespace {

constexpr double vehicle_capacity = 1;

/// Each customer is left once and entered once, and as many vehicles return to the depot as leave it.
void add_spatial_rows(LinearProgram& program, ArcColumns const& arcs) {
    for (std::size_t i = 1; i < arcs.nodes(); ++i) {
        program.add_row(exactly(1), spatial, arcs.leaving(i));
        program.add_row(exactly(1), spatial, arcs.entering(i));
    }
    std::vector<Term> balance = arcs.leaving(0);
    for (Term term : arcs.entering(0)) balance.push_back({term.column, -term.coefficient});
    program.add_row(exactly(0), spatial, balance, /*redundant=*/true);
}

/// If a vehicle drives from i to j, the load after j is at least the load after i plus j's demand.
void add_capacity_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t first_load,
                       std::span<float const> demand) {
    for (std::size_t i = 0; i < arcs.nodes(); ++i) {
        for (std::size_t j = 1; j < arcs.nodes(); ++j) {
            if (i == j) continue;
            program.add_row(
                at_least(static_cast<double>(demand[j - 1]) - vehicle_capacity), capacity,
                std::array{Term{first_load + j, 1}, Term{first_load + i, -1}, Term{arcs(i, j), -vehicle_capacity}});
        }
    }
    for (std::size_t i = 1; i < arcs.nodes(); ++i) {
        program.add_row(at_least(demand[i - 1]), capacity, std::array{Term{first_load + i, 1}});
    }
}

/// If a vehicle drives from i to j, it arrives at j no earlier than it left i plus the way.
void add_time_rows(LinearProgram& program, ArcColumns const& arcs, std::size_t first_arrival, Data const& data,
                   Matrix<double> const& distance) {
    double const latest =
        std::max_element(data.time_windows.begin(), data.time_windows.end(), [](Window const& a, Window const& b) {
            return a.close < b.close;
        })->close;
    double const longest = *std::max_element(distance.values().begin(), distance.values().end());
    double const big = latest + static_cast<double>(arcs.nodes()) * longest;
    for (std::size_t i = 0; i < arcs.nodes(); ++i) {
        for (std::size_t j = 1; j < arcs.nodes(); ++j) {
            if (i == j) continue;
            program.add_row(
                at_least(distance(i, j) + data.durations[i] - big), time_window,
                std::array{Term{first_arrival + j, 1}, Term{first_arrival + i, -1}, Term{arcs(i, j), -big}});
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
    Data const& data = instance.data();
    Matrix<double> const distance = exact_distances(data.locs);

    LinearProgram program(Sense::minimise, instance.problem().info().families.size());
    ArcColumns const arcs(program, nodes, [&](std::size_t i, std::size_t j) { return distance(i, j); });
    std::size_t const first_arrival = program.columns();
    for (Window const& window : data.time_windows) program.add_column(between(window.open, window.close));
    std::size_t const first_load = program.columns();
    for (std::size_t i = 0; i < nodes; ++i) program.add_column(between(0, vehicle_capacity));

    add_spatial_rows(program, arcs);
    add_capacity_rows(program, arcs, first_load, data.demand);
    add_time_rows(program, arcs, first_arrival, data, distance);
    return program;
}

Result<LinearProgram> Instance::relaxation() const { return cvrptw::relaxation(*this); }

} // namespace cax::cvrptw
