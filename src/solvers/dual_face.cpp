#include "dual_face.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

/// A vertex's non-basic values lie on their bounds exactly, and both vectors come from one basis, so a generous
/// tolerance can at worst free a price that is 0 at the solver's own dual: the face never becomes empty.
constexpr double tolerance = 1e-7;

DualFace::Side side_of(double value, Bounds bounds, double size) {
    double const reach = tolerance * (1 + size);
    bool const at_lower = value - bounds.lower <= reach;
    bool const at_upper = bounds.upper - value <= reach;
    if (at_lower && at_upper) return DualFace::Side::both;
    if (at_lower) return DualFace::Side::lower;
    return at_upper ? DualFace::Side::upper : DualFace::Side::slack;
}

} // namespace

Result<DualFace> DualFace::open(LpSolver const& solver, LinearProgram const& program, LpLimits const& limits) {
    auto session = solver.open(program);
    if (!session) return session.error();
    auto solution = (*session)->solve(limits);
    if (!solution) return solution.error();
    return DualFace(program, std::move(*session), std::move(*solution), limits);
}

DualFace::DualFace(LinearProgram const& program, std::unique_ptr<LpSession> session, LpSolution solution,
                   LpLimits limits)
    : program_(&program),
      session_(std::move(session)),
      solution_(std::move(solution)),
      limits_(limits),
      sign_(program.sense() == Sense::minimise ? 1 : -1) {
    if (solution_.status != LpStatus::optimal) return;
    find_sides();
    remove_slack_rows();
    release_columns();
}

void DualFace::find_sides() {
    for (std::size_t i = 0; i < program_->rows(); ++i) {
        double size = 0;
        for (Term const& term : program_->terms(i)) {
            size = std::max(size, std::abs(term.coefficient * solution_.primal[term.column]));
        }
        sides_.push_back(side_of(row_activity(*program_, i, solution_.primal), program_->row_bounds(i), size));
    }
}

/// Their prices are 0 all over the face. In the optimal basis they are basic, so that it stays one without them.
void DualFace::remove_slack_rows() {
    std::vector<std::size_t> slack;
    for (std::size_t i = 0; i < sides_.size(); ++i) (sides_[i] == Side::slack ? slack : active_).push_back(i);
    session_->remove_rows(slack);
}

/// A column may move into the program from the bound where x* is, and both ways from between them.
void DualFace::release_columns() {
    for (std::size_t j = 0; j < program_->columns(); ++j) {
        double const x = solution_.primal[j];
        switch (side_of(x, program_->column_bounds(j), std::abs(x))) {
        case Side::slack: session_->set_column_bounds(j, {}); break;
        case Side::lower: session_->set_column_bounds(j, at_least(0)); break;
        case Side::upper: session_->set_column_bounds(j, at_most(0)); break;
        case Side::both: session_->set_column_bounds(j, exactly(0)); break;
        }
    }
}

double DualFace::price_sign(std::size_t row) const {
    switch (sides_[row]) {
    case Side::lower: return sign_;
    case Side::upper: return -sign_;
    default: return 0;
    }
}

double DualFace::active_bound(std::size_t row) const {
    assert(sides_[row] != Side::slack);
    return sides_[row] == Side::upper ? program_->row_bounds(row).upper : program_->row_bounds(row).lower;
}

Result<LpSolution> DualFace::solve() {
    auto solution = session_->solve(limits_);
    if (!solution) return solution;
    if (solution->status == LpStatus::infeasible) return solution;
    if (solution->status == LpStatus::optimal) { // prices of the removed rows are 0
        std::vector<double> dual(program_->rows());
        for (std::size_t k = 0; k < active_.size(); ++k) dual[active_[k]] = solution->dual[k];
        solution->dual = std::move(dual);
        return solution;
    }
    // The face is not empty, so its dual is not unbounded: anything else is the solver's failure.
    return Error{ErrorCode::solver_failed,
                 fmt::format("dual range: the solver stopped with status {}", name_of(solution->status))};
}

Result<DualFace::Extreme> DualFace::maximise(std::span<double const> weights) {
    assert(weights.size() == program_->rows());
    for (std::size_t k = 0; k < active_.size(); ++k) {
        double const rhs = sign_ * weights[active_[k]];
        switch (sides_[active_[k]]) {
        case Side::lower: session_->set_row_bounds(k, at_least(rhs)); break;
        case Side::upper: session_->set_row_bounds(k, at_most(rhs)); break;
        default: session_->set_row_bounds(k, exactly(rhs)); break;
        }
    }
    auto solution = solve();
    if (!solution) return solution.error();
    if (solution->status == LpStatus::infeasible) return Extreme{true, lp_infinity, {}};
    return Extreme{false, sign_ * solution->objective, std::move(solution->dual)};
}

Result<DualFace::Extreme> DualFace::minimise_sum(std::size_t family) {
    // |y_i| = max over |s_i| <= 1 of s_i y_i: the right-hand side of a row with either sign is free between -1 and 1.
    for (std::size_t k = 0; k < active_.size(); ++k) {
        double const unit = program_->family(active_[k]) == family ? 1 : 0;
        switch (sides_[active_[k]]) {
        case Side::lower: session_->set_row_bounds(k, at_least(-unit)); break;
        case Side::upper: session_->set_row_bounds(k, at_most(unit)); break;
        default: session_->set_row_bounds(k, between(-unit, unit)); break;
        }
    }
    auto solution = solve();
    if (!solution) return solution.error();
    if (solution->status == LpStatus::infeasible) {
        return Error{ErrorCode::solver_failed, "dual range: the solver calls a program infeasible that 0 satisfies"};
    }
    return Extreme{false, std::max(0.0, -sign_ * solution->objective), std::move(solution->dual)};
}

} // namespace cax
