// The linear relaxation of an FJSP instance: x_om in [0,1] says whether operation o runs on its eligible machine m, c_o
// is its completion; the makespan is minimised. Machines may do any number of operations at a time. Padding and
// machines that are not eligible have no columns. Rows, in this order:
//
//   eligibility  sum_m x_om = 1 of each operation (which implies x_om <= 1)
//   precedence   per job: c_first >= its duration; c_next >= c_previous + duration; makespan >= c_last
#include "families.hpp"

#include "cax/problems/fjsp/instance.hpp"

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

Result<LinearProgram> Instance::relaxation() const {
    LinearProgram program(Sense::minimise, problem().info().families.size());
    Columns const columns(program, *this);
    add_eligibility_rows(program, columns, *this);
    add_precedence_rows(program, columns, *this);
    return program;
}

} // namespace cax::fjsp
