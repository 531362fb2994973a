#pragma once
// Linear programs: the seam between those who write one and the solver behind it. Answers are deterministic: the same
// program gives the same bytes, whatever the machine's load (unless a time limit is asked for).
//
// A session keeps the solver's state between solves, so that a program whose bounds changed a little is solved again in
// a few pivots. Sessions are independent of each other; each belongs to one thread at a time.
#include "cax/core/result.hpp"
#include "cax/model/linear_program.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace cax {

enum class LpStatus {
    optimal,           ///< primal and dual are optimal solutions up to the solver's tolerance; audit() says how good
    infeasible,        ///< no point satisfies all rows and bounds
    unbounded,         ///< feasible, and the objective improves without end
    iteration_limit,   ///< stopped; nothing is known
    time_limit,        ///< stopped; nothing is known
    numerical_failure, ///< the solver gave up; nothing is known
};
[[nodiscard]] std::string_view name_of(LpStatus status); ///< "iteration_limit"

struct LpLimits {
    std::size_t iterations = 0; ///< 0: a generous number that depends on the size alone
    double seconds = 0;         ///< 0: none. Processor time of the whole process, and no longer deterministic
    /// Begin with the primal simplex: quicker where only columns came since the last solve.
    bool primal = false;
};

struct LpSolution {
    LpStatus status = LpStatus::numerical_failure;
    std::size_t iterations = 0;
    // The rest is filled only if optimal.
    double objective = 0;
    std::vector<double> primal;        ///< per column
    std::vector<double> dual;          ///< per row: d objective / d right-hand side, whatever the sense
    std::vector<double> reduced_costs; ///< per column: c - A'dual
};

/// A column that comes later: Term::column is a row that is there.
struct LaterColumn {
    Bounds bounds;
    double objective = 0;
    std::vector<Term> terms;
};
struct LaterRow {
    Bounds bounds;
    std::vector<Term> terms;
};

class LpSession {
public:
    virtual ~LpSession() = default;
    virtual void set_objective(std::size_t column, double value) = 0;
    /// New columns follow the others, and begin at 0 (or their bound next to it); new rows follow the others.
    virtual void add_columns(std::span<LaterColumn const> columns) = 0;
    virtual void add_rows(std::span<LaterRow const> rows) = 0;
    virtual void set_row_bounds(std::size_t row, Bounds bounds) = 0;
    virtual void set_column_bounds(std::size_t column, Bounds bounds) = 0;
    /// Rows behind a removed one move up.
    virtual void remove_rows(std::span<std::size_t const> rows) = 0;
    /// Error only if the solver broke down; an unpleasant answer is a status.
    [[nodiscard]] virtual Result<LpSolution> solve(LpLimits const& limits = {}) = 0;
};

class LpSolver {
public:
    virtual ~LpSolver() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Error if the program is not valid (see validate) or too large for the solver.
    [[nodiscard]] virtual Result<std::unique_ptr<LpSession>> open(LinearProgram const& program) const = 0;
    /// Opens a session, solves, closes it.
    [[nodiscard]] Result<LpSolution> solve(LinearProgram const& program, LpLimits const& limits = {}) const;
};

/// COIN-OR CLP: dual simplex without presolve. May be shared by threads.
[[nodiscard]] LpSolver const& clp_solver();

} // namespace cax
