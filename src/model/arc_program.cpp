#include "cax/model/arc_program.hpp"

namespace cax {
namespace {

std::size_t column_of(std::size_t nodes, std::size_t i, std::size_t j) { return i * (nodes - 1) + (j < i ? j : j - 1); }

/// Per row of the core, its terms on arcs and then those on the core's own columns.
std::vector<std::vector<Term>> core_terms(ArcProgram const& program, std::size_t first_core_column) {
    LinearProgram const& core = program.core;
    std::vector<std::vector<Term>> rows(core.rows());
    for_each_arc(program.nodes, [&](std::size_t i, std::size_t j) {
        ArcColumn const column = program.arc(i, j);
        for (auto const [row, coefficient] : column.terms()) {
            rows[row].push_back({column_of(program.nodes, i, j), coefficient});
        }
    });
    for (std::size_t r = 0; r < core.rows(); ++r) {
        for (Term const& term : core.terms(r)) rows[r].push_back({first_core_column + term.column, term.coefficient});
    }
    return rows;
}

void write_links(LinearProgram& whole, ArcProgram const& program, LinkGroup const& group, std::size_t first_column) {
    std::size_t const first = first_column + group.first_value;
    for_each_arc(program.nodes, [&](std::size_t i, std::size_t j) {
        auto const link = group.link(i, j);
        if (!link) return;
        std::array const terms{Term{first + j, 1}, Term{first + i, -1},
                               Term{column_of(program.nodes, i, j), -link->big}};
        whole.add_row(at_least(link->least), group.family, std::span(terms).first(link->big != 0 ? 3 : 2));
    });
}

} // namespace

std::vector<std::size_t> ArcProgram::rows_of_families() const {
    std::vector<std::size_t> rows;
    for (std::size_t k = 0; k < core.families(); ++k) rows.push_back(core.rows_of(k));
    for (LinkGroup const& group : links) {
        for_each_arc(nodes, [&](std::size_t i, std::size_t j) { rows[group.family] += group.link(i, j) ? 1 : 0; });
    }
    return rows;
}

LinearProgram written_out(ArcProgram const& program) {
    LinearProgram const& core = program.core;
    LinearProgram whole(core.sense(), core.families());
    for_each_arc(program.nodes, [&](std::size_t i, std::size_t j) {
        ArcColumn const column = program.arc(i, j);
        whole.add_column(between(0, column.exists ? 1 : 0), column.cost, column.exists);
    });
    std::size_t const first_core_column = whole.columns();
    for (std::size_t c = 0; c < core.columns(); ++c) {
        whole.add_column(core.column_bounds(c), core.objective(c), core.upper_is_redundant(c));
    }
    auto const terms = core_terms(program, first_core_column);
    std::size_t written = 0;
    auto const write_core = [&](std::size_t end) {
        for (; written < end; ++written) {
            whole.add_row(core.row_bounds(written), core.family(written), terms[written], core.is_redundant(written));
        }
    };
    for (LinkGroup const& group : program.links) {
        write_core(group.after);
        write_links(whole, program, group, first_core_column);
    }
    write_core(core.rows());
    return whole;
}

} // namespace cax
