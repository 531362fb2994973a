#include "relaxation.hpp"

#include "families.hpp"

#include <array>

namespace cax::fjsp {
namespace {

/// Columns of the program: which machine, when finished.
struct Columns {
    std::vector<std::size_t> first_machine; ///< per operation: column of its first alternative
    std::size_t first_completion = 0;
    std::size_t makespan = 0;

    Columns(LinearProgram& program, Instance const& instance) {
        for (std::size_t o = 0; o < instance.operation_count(); ++o) {
            first_machine.push_back(program.columns());
            for (std::size_t k = 0; k < instance.alternatives(o).size(); ++k) {
                program.add_column(between(0, 1), 0, /*upper_is_redundant=*/true);
            }
        }
        first_completion = program.columns();
        for (std::size_t o = 0; o < instance.operation_count(); ++o) program.add_column(at_least(0));
        makespan = program.add_column(at_least(0), 1);
    }
};

/// Each operation runs on one machine.
void add_eligibility_rows(LinearProgram& program, Columns const& columns, Instance const& instance) {
    for (std::size_t o = 0; o < instance.operation_count(); ++o) {
        std::vector<Term> machines;
        for (std::size_t k = 0; k < instance.alternatives(o).size(); ++k) {
            machines.push_back({columns.first_machine[o] + k, 1});
        }
        program.add_row(exactly(1), eligibility, machines);
    }
}

/// An operation ends after the one before it plus its own duration, and the makespan is after all of them.
void add_precedence_rows(LinearProgram& program, Columns const& columns, Instance const& instance) {
    for (std::size_t job = 0; job < instance.job_count(); ++job) {
        for (std::size_t o = instance.first_operation(job); o <= instance.last_operation(job); ++o) {
            std::vector<Term> terms{{columns.first_completion + o, 1}};
            if (o > instance.first_operation(job)) terms.push_back({columns.first_completion + o - 1, -1});
            auto const alternatives = instance.alternatives(o);
            for (std::size_t k = 0; k < alternatives.size(); ++k) {
                terms.push_back({columns.first_machine[o] + k, -static_cast<double>(alternatives[k].time)});
            }
            program.add_row(at_least(0), precedence, terms);
        }
        std::size_t const last = columns.first_completion + instance.last_operation(job);
        program.add_row(at_least(0), precedence, std::array{Term{columns.makespan, 1}, Term{last, -1}});
    }
}

} // namespace

Result<LinearProgram> relaxation(Instance const& instance) {
    LinearProgram program(Sense::minimise, instance.problem().info().families.size());
    Columns const columns(program, instance);
    add_eligibility_rows(program, columns, instance);
    add_precedence_rows(program, columns, instance);
    return program;
}

Result<LinearProgram> Instance::relaxation() const { return fjsp::relaxation(*this); }

} // namespace cax::fjsp
