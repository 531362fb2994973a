#pragma once
// A linear program as plain data: what problems write and solvers read. Every row carries the constraint family that it
// belongs to, so that a price found for the row can be brought back to a rule that a person knows.
//
// Rows are lower <= a'x <= upper, columns lower <= x <= upper, infinities allowed on the open side. A row or a column's
// upper bound that the other constraints imply may be marked redundant: it cuts nothing off, but it gives the dual a
// direction in which it can grow without end, so ranges of duals are asked for with and without it.
#include "cax/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace cax {

inline constexpr double lp_infinity = std::numeric_limits<double>::infinity();

enum class Sense { minimise, maximise };

/// The family of a row that belongs to none.
inline constexpr std::size_t no_family = std::numeric_limits<std::size_t>::max();

/// coefficient * x[column], one summand of a row.
struct Term {
    std::size_t column = 0;
    double coefficient = 0;
};

struct Bounds {
    double lower = -lp_infinity;
    double upper = lp_infinity;
};
[[nodiscard]] inline Bounds at_least(double value) { return {value, lp_infinity}; }
[[nodiscard]] inline Bounds at_most(double value) { return {-lp_infinity, value}; }
[[nodiscard]] inline Bounds exactly(double value) { return {value, value}; }
[[nodiscard]] inline Bounds between(double lower, double upper) { return {lower, upper}; }

class LinearProgram {
public:
    explicit LinearProgram(Sense sense = Sense::minimise, std::size_t families = 0)
        : sense_(sense), families_(families) {}

    /// Adds a column and returns its index.
    std::size_t add_column(Bounds bounds, double objective = 0, bool upper_is_redundant = false);
    /// Adds a row and returns its index. Each column may occur once.
    std::size_t add_row(Bounds bounds, std::size_t family, std::span<Term const> terms, bool redundant = false);

    [[nodiscard]] Sense sense() const { return sense_; }
    [[nodiscard]] std::size_t families() const { return families_; }
    [[nodiscard]] std::size_t columns() const { return column_bounds_.size(); }
    [[nodiscard]] std::size_t rows() const { return row_bounds_.size(); }
    [[nodiscard]] std::size_t entries() const { return terms_.size(); }

    [[nodiscard]] Bounds column_bounds(std::size_t column) const { return column_bounds_[column]; }
    [[nodiscard]] double objective(std::size_t column) const { return objective_[column]; }
    [[nodiscard]] std::span<double const> objective() const { return objective_; }
    [[nodiscard]] bool upper_is_redundant(std::size_t column) const { return upper_is_redundant_[column] != 0; }

    [[nodiscard]] Bounds row_bounds(std::size_t row) const { return row_bounds_[row]; }
    [[nodiscard]] std::size_t family(std::size_t row) const { return row_family_[row]; }
    [[nodiscard]] bool is_redundant(std::size_t row) const { return row_is_redundant_[row] != 0; }
    [[nodiscard]] bool is_equality(std::size_t row) const { return row_bounds_[row].lower == row_bounds_[row].upper; }
    [[nodiscard]] std::span<Term const> terms(std::size_t row) const {
        return {terms_.data() + row_start_[row], row_start_[row + 1] - row_start_[row]};
    }
    [[nodiscard]] std::size_t rows_of(std::size_t family) const; ///< how many rows the family has

    void set_row_bounds(std::size_t row, Bounds bounds) { row_bounds_[row] = bounds; }
    void set_column_bounds(std::size_t column, Bounds bounds) { column_bounds_[column] = bounds; }

private:
    Sense sense_;
    std::size_t families_;
    std::vector<Bounds> column_bounds_;
    std::vector<double> objective_;
    std::vector<std::uint8_t> upper_is_redundant_;
    std::vector<Bounds> row_bounds_;
    std::vector<std::size_t> row_family_;
    std::vector<std::uint8_t> row_is_redundant_;
    std::vector<std::size_t> row_start_{0}; ///< row r owns terms_[row_start_[r] .. row_start_[r + 1])
    std::vector<Term> terms_;
};

/// Is this a program that a solver may be given? Finite coefficients, columns that exist and occur once per row, bounds
/// in order, families that exist. The error names the row or column and the value.
[[nodiscard]] Result<void> validate(LinearProgram const& program);

/// c'x.
[[nodiscard]] double objective_value(LinearProgram const& program, std::span<double const> x);
/// a'x of one row.
[[nodiscard]] double row_activity(LinearProgram const& program, std::size_t row, std::span<double const> x);
/// c - A'y: what the columns still cost once the rows have been paid for at prices y.
[[nodiscard]] std::vector<double> reduced_costs(LinearProgram const& program, std::span<double const> y);

} // namespace cax
