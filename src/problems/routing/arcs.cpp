#include "arcs.hpp"

#include "distances.hpp"

#include <array>
#include <memory>

namespace cax::routing {
namespace {

constexpr double full_load = 1;

ArcColumn column_of_arc(ArcRows const& rows, std::size_t i, std::size_t j, double length) {
    ArcColumn column;
    if (rows.leaving[i]) column.add(*rows.leaving[i], rows.degree);
    if (rows.entering[j]) column.add(*rows.entering[j], rows.degree);
    if (rows.balance && i == 0) column.add(*rows.balance, 1);
    if (rows.balance && j == 0) column.add(*rows.balance, -1);
    if (rows.fleet && i == 0) column.add(*rows.fleet, 1);
    if (rows.length) column.add(*rows.length, length);
    return column;
}

ArcRows rows_for(std::size_t nodes) {
    ArcRows rows;
    rows.leaving.resize(nodes);
    rows.entering.resize(nodes);
    return rows;
}

} // namespace

ArcProgram arc_program(std::vector<Point> places, LinearProgram core, ArcRows rows, LegRule rule, ArcExists exists) {
    ArcProgram program;
    program.nodes = places.size();
    program.core = std::move(core);
    auto const points = std::make_shared<std::vector<Point> const>(std::move(places));
    program.length = [points](std::size_t i, std::size_t j) { return arc_length((*points)[i], (*points)[j]); };
    program.arc = [points, rows = std::move(rows), rule, exists = std::move(exists)](std::size_t i, std::size_t j) {
        double const length = arc_length((*points)[i], (*points)[j]);
        ArcColumn column = column_of_arc(rows, i, j, length);
        column.cost = rule(length, i, j);
        column.exists = !exists || exists(i, j);
        return column;
    };
    return program;
}

ArcRows add_visit_rows(LinearProgram& core, std::size_t nodes, std::size_t family) {
    ArcRows rows = rows_for(nodes);
    for (std::size_t i = 1; i < nodes; ++i) {
        rows.leaving[i] = core.add_row(exactly(1), family, {});
        rows.entering[i] = core.add_row(exactly(1), family, {});
    }
    rows.balance = core.add_row(exactly(0), family, {}, /*redundant=*/true);
    return rows;
}

ArcRows add_tour_rows(LinearProgram& core, std::size_t nodes, std::size_t family) {
    ArcRows rows = rows_for(nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
        rows.leaving[i] = core.add_row(exactly(1), family, {});
        rows.entering[i] = core.add_row(exactly(1), family, {}, /*redundant=*/i == 0);
    }
    return rows;
}

ArcRows add_optional_visit_rows(LinearProgram& core, std::size_t nodes, std::size_t first_visit, std::size_t family) {
    ArcRows rows = rows_for(nodes);
    rows.degree = -1;
    for (std::size_t i = 0; i < nodes; ++i) {
        std::array const visit{Term{first_visit + i, 1}};
        rows.entering[i] = core.add_row(exactly(0), family, visit, /*redundant=*/i == 0);
        rows.leaving[i] = core.add_row(exactly(0), family, visit);
    }
    return rows;
}

LinkGroup order_links(std::size_t nodes, std::size_t first_place, std::size_t family, std::size_t after) {
    auto const n = static_cast<double>(nodes);
    return {family, first_place, after, [n](std::size_t i, std::size_t j) -> std::optional<Link> {
                if (i == 0 || j == 0) return std::nullopt;
                return Link{n, 1 - n};
            }};
}

LinkGroup load_links(std::vector<float> demand, std::size_t first_load, std::size_t family, std::size_t after) {
    return {family, first_load, after, [demand = std::move(demand)](std::size_t, std::size_t j) -> std::optional<Link> {
                if (j == 0) return std::nullopt;
                return Link{full_load, static_cast<double>(demand[j - 1]) - full_load};
            }};
}

void add_demand_rows(LinearProgram& core, std::span<float const> demand, std::size_t first_load, std::size_t family) {
    for (std::size_t i = 1; i <= demand.size(); ++i) {
        core.add_row(at_least(demand[i - 1]), family, std::array{Term{first_load + i, 1}});
    }
}

} // namespace cax::routing
