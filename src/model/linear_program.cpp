#include "cax/model/linear_program.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax {

std::size_t LinearProgram::add_column(Bounds bounds, double objective, bool upper_is_redundant) {
    column_bounds_.push_back(bounds);
    objective_.push_back(objective);
    upper_is_redundant_.push_back(upper_is_redundant ? 1 : 0);
    return columns() - 1;
}

std::size_t LinearProgram::add_row(Bounds bounds, std::size_t family, std::span<Term const> terms, bool redundant) {
    row_bounds_.push_back(bounds);
    row_family_.push_back(family);
    row_is_redundant_.push_back(redundant ? 1 : 0);
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    row_start_.push_back(terms_.size());
    return rows() - 1;
}

std::size_t LinearProgram::rows_of(std::size_t family) const {
    return static_cast<std::size_t>(std::count(row_family_.begin(), row_family_.end(), family));
}

namespace {

Result<void> validate(Bounds bounds, char const* what, std::size_t index) {
    bool const ordered = bounds.lower <= bounds.upper; // false for NaN as well
    if (ordered && bounds.lower < lp_infinity && bounds.upper > -lp_infinity) return {};
    return Error{ErrorCode::invalid_value,
                 fmt::format("{} {}: no number lies between {} and {}", what, index, bounds.lower, bounds.upper)};
}

Result<void> validate_row(LinearProgram const& program, std::size_t row, std::vector<std::size_t>& last_row_with) {
    if (auto bounds = validate(program.row_bounds(row), "row", row); !bounds) return bounds;
    std::size_t const family = program.family(row);
    if (family != no_family && family >= program.families()) {
        return Error{ErrorCode::invalid_value, fmt::format("row {}: family {} does not exist", row, family)};
    }
    for (Term const& term : program.terms(row)) {
        if (term.column >= program.columns()) {
            return Error{ErrorCode::invalid_value, fmt::format("row {}: column {} does not exist", row, term.column)};
        }
        if (!std::isfinite(term.coefficient)) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("row {}, column {}: coefficient is {}", row, term.column, term.coefficient)};
        }
        if (last_row_with[term.column] == row) {
            return Error{ErrorCode::invalid_value, fmt::format("row {}: column {} occurs twice", row, term.column)};
        }
        last_row_with[term.column] = row;
    }
    return {};
}

} // namespace

Result<void> validate(LinearProgram const& program) {
    for (std::size_t j = 0; j < program.columns(); ++j) {
        if (auto bounds = validate(program.column_bounds(j), "column", j); !bounds) return bounds;
        if (!std::isfinite(program.objective(j))) {
            return Error{ErrorCode::invalid_value, fmt::format("column {}: objective is {}", j, program.objective(j))};
        }
    }
    std::vector<std::size_t> last_row_with(program.columns(), no_family);
    for (std::size_t i = 0; i < program.rows(); ++i) {
        if (auto row = validate_row(program, i, last_row_with); !row) return row;
    }
    return {};
}

double objective_value(LinearProgram const& program, std::span<double const> x) {
    assert(x.size() == program.columns());
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += program.objective(j) * x[j];
    return sum;
}

double row_activity(LinearProgram const& program, std::size_t row, std::span<double const> x) {
    double sum = 0;
    for (Term const& term : program.terms(row)) sum += term.coefficient * x[term.column];
    return sum;
}

std::vector<double> reduced_costs(LinearProgram const& program, std::span<double const> y) {
    assert(y.size() == program.rows());
    std::vector<double> d(program.objective().begin(), program.objective().end());
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (y[i] == 0) continue;
        for (Term const& term : program.terms(i)) d[term.column] -= term.coefficient * y[i];
    }
    return d;
}

} // namespace cax
