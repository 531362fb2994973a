#pragma once
// The set of all optimal dual solutions of a linear program, and linear functions maximised over it.
//
// With x* one optimal primal solution, y is optimal iff it is complementary to x*: y_i = 0 on slack rows, of the row's
// sign on active inequalities, free on equalities, and likewise for reduced costs and columns. Maximising s'y over that
// set has a linear dual with the original matrix and objective, s as right-hand side, and columns that may move only
// the way x* could: so every question is a change of row bounds in the session that found x*, whose basis stays dual
// feasible, and a few dual simplex pivots answer it.
#include "cax/solvers/lp.hpp"

#include <cstdint>

namespace cax {

class DualFace {
public:
    /// Which prices a row may have on the face, in the program's own sense.
    enum class Side : std::uint8_t { slack, lower, upper, both };

    /// Solves the program. The face exists only if status() is optimal.
    [[nodiscard]] static Result<DualFace> open(LpSolver const& solver, LinearProgram const& program,
                                               LpLimits const& limits);

    [[nodiscard]] LpSolution const& solution() const { return solution_; }
    [[nodiscard]] Side side(std::size_t row) const { return sides_[row]; }
    /// +1 or -1 if prices of the row have that sign all over the face, 0 if they may have either (or must be 0).
    [[nodiscard]] double price_sign(std::size_t row) const;
    /// The bound at which the row is active. Precondition: its side is not `slack`.
    [[nodiscard]] double active_bound(std::size_t row) const;

    struct Extreme {
        bool unbounded = false;
        double value = 0;
        std::vector<double> dual; ///< where the value is attained
    };
    /// max weights'y. Weights on slack rows do not count.
    [[nodiscard]] Result<Extreme> maximise(std::span<double const> weights);
    /// min sum of |y_i| over the rows of a family.
    [[nodiscard]] Result<Extreme> minimise_sum(std::size_t family);

private:
    DualFace(LinearProgram const& program, std::unique_ptr<LpSession> session, LpSolution solution, LpLimits limits);
    void find_sides();
    void remove_slack_rows();
    void release_columns();
    [[nodiscard]] Result<LpSolution> solve();

    LinearProgram const* program_;
    std::unique_ptr<LpSession> session_;
    LpSolution solution_;
    LpLimits limits_;
    double sign_; ///< +1 if the program minimises
    std::vector<Side> sides_;
    std::vector<std::size_t> active_; ///< rows that the session still has, in order
};

} // namespace cax
