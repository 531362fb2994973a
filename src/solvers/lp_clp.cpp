// The only file that knows CLP. It translates programs, statuses and exceptions (CoinError is no std::exception).
#include "cax/solvers/lp.hpp"

#include <coin/ClpSimplex.hpp>
#include <coin/CoinError.hpp>
#include <coin/CoinPackedMatrix.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <fmt/format.h>
#include <limits>

namespace cax {
namespace {

/// Runs something of CLP's and turns whatever it throws into an Error. std::bad_alloc is left alone.
template <class Function> auto guarded(Function const& function) -> decltype(function()) {
    try {
        return function();
    } catch (CoinError const& error) {
        return Error{ErrorCode::solver_failed,
                     fmt::format("CLP: {} ({}::{})", error.message(), error.className(), error.methodName())};
    } catch (std::bad_alloc const&) {
        throw;
    } catch (std::exception const& error) {
        return Error{ErrorCode::solver_failed, fmt::format("CLP: {}", error.what())};
    } catch (...) {
        return Error{ErrorCode::solver_failed, "CLP: stopped for an unknown reason"};
    }
}

double to_clp(double bound) { return std::clamp(bound, -COIN_DBL_MAX, COIN_DBL_MAX); }

bool is_finite(LpSolution const& solution) {
    auto const finite = [](double value) { return std::isfinite(value); };
    return finite(solution.objective) && std::all_of(solution.primal.begin(), solution.primal.end(), finite) &&
           std::all_of(solution.dual.begin(), solution.dual.end(), finite);
}

class ClpSession final : public LpSession {
public:
    explicit ClpSession(LinearProgram const& program);

    void set_row_bounds(std::size_t row, Bounds bounds) override {
        model_.setRowBounds(static_cast<int>(row), to_clp(bounds.lower), to_clp(bounds.upper));
    }
    void set_column_bounds(std::size_t column, Bounds bounds) override {
        model_.setColumnBounds(static_cast<int>(column), to_clp(bounds.lower), to_clp(bounds.upper));
    }
    void set_objective(std::size_t column, double value) override {
        model_.setObjectiveCoefficient(static_cast<int>(column), sign_ * value);
    }
    void add_columns(std::span<LaterColumn const> columns) override;
    void add_rows(std::span<LaterRow const> rows) override;
    void remove_rows(std::span<std::size_t const> rows) override {
        std::vector<int> which(rows.begin(), rows.end());
        model_.deleteRows(static_cast<int>(which.size()), which.data());
    }
    [[nodiscard]] Result<LpSolution> solve(LpLimits const& limits) override {
        return guarded([&]() -> Result<LpSolution> { return run(limits); });
    }

private:
    [[nodiscard]] LpSolution run(LpLimits const& limits);
    [[nodiscard]] LpSolution run_without_entries() const;
    void pivot(bool primal);
    [[nodiscard]] LpStatus status() const;

    ClpSimplex model_;
    double sign_; ///< CLP always minimises sign * objective, so that duals need no second convention
};

ClpSession::ClpSession(LinearProgram const& program) : sign_(program.sense() == Sense::minimise ? 1 : -1) {
    model_.setLogLevel(0);
    std::vector<CoinBigIndex> starts{0};
    std::vector<int> columns;
    std::vector<double> coefficients;
    std::vector<double> row_lower;
    std::vector<double> row_upper;
    for (std::size_t i = 0; i < program.rows(); ++i) {
        for (Term const& term : program.terms(i)) {
            if (term.coefficient == 0) continue;
            columns.push_back(static_cast<int>(term.column));
            coefficients.push_back(term.coefficient);
        }
        starts.push_back(static_cast<CoinBigIndex>(columns.size()));
        row_lower.push_back(to_clp(program.row_bounds(i).lower));
        row_upper.push_back(to_clp(program.row_bounds(i).upper));
    }
    CoinPackedMatrix const matrix(/*colordered=*/false, static_cast<int>(program.columns()),
                                  static_cast<int>(program.rows()), starts.back(), coefficients.data(), columns.data(),
                                  starts.data(), nullptr);
    std::vector<double> lower;
    std::vector<double> upper;
    std::vector<double> objective;
    for (std::size_t j = 0; j < program.columns(); ++j) {
        lower.push_back(to_clp(program.column_bounds(j).lower));
        upper.push_back(to_clp(program.column_bounds(j).upper));
        objective.push_back(sign_ * program.objective(j));
    }
    model_.loadProblem(matrix, lower.data(), upper.data(), objective.data(), row_lower.data(), row_upper.data());
    model_.setPrimalTolerance(1e-9);
    model_.setDualTolerance(1e-9);
}

/// Rows or columns as CLP wants them: one list of terms after another.
struct PackedTerms {
    std::vector<CoinBigIndex> starts{0};
    std::vector<int> places;
    std::vector<double> coefficients;
    void add(std::span<Term const> terms) {
        for (Term const& term : terms) {
            if (term.coefficient == 0) continue;
            places.push_back(static_cast<int>(term.column));
            coefficients.push_back(term.coefficient);
        }
        starts.push_back(static_cast<CoinBigIndex>(places.size()));
    }
};

void ClpSession::add_columns(std::span<LaterColumn const> columns) {
    PackedTerms packed;
    std::vector<double> lower;
    std::vector<double> upper;
    std::vector<double> objective;
    for (LaterColumn const& column : columns) {
        packed.add(column.terms);
        lower.push_back(to_clp(column.bounds.lower));
        upper.push_back(to_clp(column.bounds.upper));
        objective.push_back(sign_ * column.objective);
    }
    model_.addColumns(static_cast<int>(columns.size()), lower.data(), upper.data(), objective.data(),
                      packed.starts.data(), packed.places.data(), packed.coefficients.data());
}

void ClpSession::add_rows(std::span<LaterRow const> rows) {
    PackedTerms packed;
    std::vector<double> lower;
    std::vector<double> upper;
    for (LaterRow const& row : rows) {
        packed.add(row.terms);
        lower.push_back(to_clp(row.bounds.lower));
        upper.push_back(to_clp(row.bounds.upper));
    }
    model_.addRows(static_cast<int>(rows.size()), lower.data(), upper.data(), packed.starts.data(),
                   packed.places.data(), packed.coefficients.data());
}

/// Dual simplex, with primal simplex where that is the one that can tell: to part "unbounded" from "infeasible", to
/// remove what is left of an infeasibility after unscaling, and as a second try after a breakdown or after an
/// "infeasible", which dual simplex has said of programs that have a solution with little room. If that try breaks
/// down, "infeasible" it is.
void ClpSession::pivot(bool primal) {
    if (primal)
        model_.primal();
    else
        model_.dual();
    bool const unscaled_is_off = model_.status() == 0 && model_.secondaryStatus() >= 2 && model_.secondaryStatus() <= 4;
    if (model_.status() == 2 || unscaled_is_off) model_.primal();
    int const said = model_.status();
    if (said != 4 && said != 1) return;
    model_.allSlackBasis(true);
    model_.primal();
    if (said == 1 && model_.status() == 4) model_.setProblemStatus(said);
}

LpStatus ClpSession::status() const {
    constexpr int stopped_on_time = 9;
    switch (model_.status()) {
    case 0: return LpStatus::optimal;
    case 1: return LpStatus::infeasible;
    case 2: return LpStatus::unbounded;
    case 3: return model_.secondaryStatus() == stopped_on_time ? LpStatus::time_limit : LpStatus::iteration_limit;
    default: return LpStatus::numerical_failure;
    }
}

/// A matrix of zeros confuses CLP: every column goes to its better bound, and 0 must satisfy every row.
LpSolution ClpSession::run_without_entries() const {
    LpSolution solution;
    solution.status = LpStatus::optimal;
    for (int j = 0; j < model_.numberColumns(); ++j) {
        double const cost = model_.getObjCoefficients()[j];
        double const lower = model_.getColLower()[j];
        double const upper = model_.getColUpper()[j];
        double const best = cost == 0 ? std::clamp(0.0, lower, upper) : (cost > 0 ? lower : upper);
        if (std::abs(best) >= COIN_DBL_MAX) solution.status = LpStatus::unbounded;
        solution.primal.push_back(best);
        solution.reduced_costs.push_back(sign_ * cost);
        solution.objective += sign_ * cost * best;
    }
    solution.dual.assign(static_cast<std::size_t>(model_.numberRows()), 0);
    for (int i = 0; i < model_.numberRows(); ++i) {
        if (model_.getRowLower()[i] > 0 || model_.getRowUpper()[i] < 0) solution.status = LpStatus::infeasible;
    }
    if (solution.status == LpStatus::optimal) return solution;
    LpSolution nothing;
    nothing.status = solution.status;
    return nothing;
}

LpSolution ClpSession::run(LpLimits const& limits) {
    if (model_.getNumElements() == 0) return run_without_entries();
    int const rows = model_.numberRows();
    int const columns = model_.numberColumns();
    std::size_t const generous = 10'000 + 50 * (static_cast<std::size_t>(rows) + static_cast<std::size_t>(columns));
    std::size_t const most =
        std::min<std::size_t>(limits.iterations != 0 ? limits.iterations : generous, std::numeric_limits<int>::max());
    model_.setNumberIterations(0);
    model_.setMaximumIterations(static_cast<int>(most));
    model_.setMaximumSeconds(limits.seconds > 0 ? limits.seconds : -1); // -1: none
    pivot(limits.primal);

    LpSolution solution;
    solution.status = status();
    solution.iterations = static_cast<std::size_t>(model_.numberIterations());
    if (solution.status != LpStatus::optimal) return solution;
    solution.objective = sign_ * model_.getObjValue();
    solution.primal.assign(model_.getColSolution(), model_.getColSolution() + columns);
    solution.dual.assign(model_.getRowPrice(), model_.getRowPrice() + rows);
    solution.reduced_costs.assign(model_.getReducedCost(), model_.getReducedCost() + columns);
    for (double& y : solution.dual) y *= sign_;
    for (double& d : solution.reduced_costs) d *= sign_;
    if (is_finite(solution)) return solution;
    LpSolution failure; // numbers beyond what doubles can hold
    failure.iterations = solution.iterations;
    return failure;
}

class ClpSolver final : public LpSolver {
public:
    [[nodiscard]] std::string_view name() const override { return "clp"; }
    [[nodiscard]] Result<std::unique_ptr<LpSession>> open(LinearProgram const& program) const override {
        if (auto valid = validate(program); !valid) return valid.error();
        constexpr std::size_t most = 1u << 30u; // CLP counts in ints
        if (program.rows() > most || program.columns() > most || program.entries() > most) {
            return Error{ErrorCode::unsupported,
                         fmt::format("CLP: {} rows and {} columns are too many", program.rows(), program.columns())};
        }
        return guarded([&]() -> Result<std::unique_ptr<LpSession>> {
            return std::unique_ptr<LpSession>(std::make_unique<ClpSession>(program));
        });
    }
};

} // namespace

LpSolver const& clp_solver() {
    static ClpSolver const solver;
    return solver;
}

} // namespace cax
