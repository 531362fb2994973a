#pragma once
// How far the prices of an LP are determined at all. The optimal dual solutions form a face; a solver returns one of
// its vertices, and another solver another one. Here are the smallest and the largest value that a family's mean |dual|
// and its share of the bound take over that whole face.
//
// The face is described by complementary slackness with one optimal primal solution. Where all signs are known, both
// ends are linear programs and exact. For equality rows the smallest sum of |y| is a linear program; the largest is
// not, so it comes as a value that is attained and an upper bound.
#include "cax/core/result.hpp"
#include "cax/model/linear_program.hpp"
#include "cax/solvers/lp.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cax {

/// Rows and bounds marked redundant do not change the program but open directions in which its dual is unbounded.
enum class RedundantRows {
    dropped, ///< their prices are 0
    kept,    ///< the program as it is
};

struct DualRangeOptions {
    RedundantRows redundant = RedundantRows::dropped;
    bool only_smallest = false; ///< leave out the largest values and the shares: far cheaper
    LpLimits limits;            ///< per linear program
};

struct Interval {
    double low = 0;
    double high = 0;
};

/// The mean |dual| over one family's rows.
struct FamilyRange {
    std::size_t rows = 0;        ///< of the family, redundant ones included; with no row everything is 0
    double min = 0;              ///< attained, exact
    double max = 0;              ///< attained; infinite if unbounded
    double max_upper_bound = 0;  ///< proven
    bool max_exact = true;       ///< max is proven to be the largest: the two above agree
    std::vector<double> at_min;  ///< every family's mean |dual| at the dual solution that attains min
    std::vector<double> at_max;  ///< the same for max; empty if unbounded
    std::string unbounded_along; ///< if unbounded, one row that shows it: "row 100, which other rows imply"
    [[nodiscard]] bool unbounded() const { return !unbounded_along.empty(); }
};

struct DualRanges {
    RedundantRows redundant = RedundantRows::dropped;
    LpStatus status = LpStatus::numerical_failure; ///< the rest is empty unless optimal
    double objective = 0;
    std::vector<FamilyRange> families;
    /// Per family b'y / objective over its rows: what part of the bound it carries, exact at both ends (possibly
    /// infinite). Nothing if the objective is 0.
    std::optional<std::vector<Interval>> shares;
    Interval bounds_share; ///< the part that variables' bounds and rows of no family carry
};

/// Solves the program, then the ends. Error if the solver breaks down or stops at a limit on the way.
[[nodiscard]] Result<DualRanges> dual_ranges(LpSolver const& solver, LinearProgram const& program,
                                             DualRangeOptions const& options = {});

/// The program with its redundant rows open and its redundant upper bounds infinite.
[[nodiscard]] LinearProgram without_redundancy(LinearProgram program);

/// Sum of |dual| over each family's rows.
[[nodiscard]] std::vector<double> family_sums(LinearProgram const& program, std::span<double const> dual);
/// b'y over each family's rows, b being the side of the row that its price pays for; what is left to the objective
/// comes from rows of no family and from bounds.
[[nodiscard]] std::vector<double> family_worths(LinearProgram const& program, std::span<double const> dual);

} // namespace cax
