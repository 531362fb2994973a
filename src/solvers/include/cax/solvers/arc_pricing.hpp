#pragma once
// Solves a program over arcs without writing it out. It begins with the arcs between near nodes; columns whose reduced
// cost says that they would improve the solution come in, and so do link rows that the solution breaks, until there are
// none of either. Then the solution is optimal for the whole program: arcs that never came in are 0, link rows that
// never came in have the price 0, no row is broken and no reduced cost has the wrong sign. audit() checks just that,
// arc by arc, and stores none of them.
//
// Memory grows with what came in: about ten columns and a few rows per node.
#include "cax/model/arc_program.hpp"
#include "cax/solvers/lp.hpp"
#include "cax/solvers/lp_audit.hpp"

namespace cax {

struct ArcValue {
    std::size_t from = 0;
    std::size_t to = 0;
    double value = 0;
};

struct LinkPrice {
    std::size_t group = 0;
    std::size_t from = 0;
    std::size_t to = 0;
    double price = 0; ///< d objective / d `least`
};

/// Filled only if optimal, except for the first four.
struct ArcSolution {
    LpStatus status = LpStatus::numerical_failure;
    std::size_t iterations = 0;
    std::size_t rounds = 0;  ///< how often something came in
    std::size_t columns = 0; ///< that came in
    double objective = 0;
    std::vector<double> core_primal; ///< per column of the core
    std::vector<double> core_dual;   ///< per row of the core
    std::vector<ArcValue> arcs;      ///< that are not 0, in lexicographic order
    std::vector<LinkPrice> links;    ///< whose price is not 0, in lexicographic order of their arcs, then by group
};

/// Limits hold for every linear program on the way. Error if the solver breaks down.
[[nodiscard]] Result<ArcSolution> solve(LpSolver const& solver, ArcProgram const& program, LpLimits const& limits = {});

/// As audit() of the program written out. Precondition: solution.status is optimal.
[[nodiscard]] LpAudit audit(ArcProgram const& program, ArcSolution const& solution);

/// What a family's duals add up to, whichever form the program has.
struct FamilyDuals {
    std::size_t rows = 0; ///< of the family in the whole program
    double sum = 0;       ///< of |dual|
    double largest = 0;   ///< |dual|
    double worth = 0;     ///< b'y: see family_worths()
};
[[nodiscard]] std::vector<FamilyDuals> family_duals(LinearProgram const& program, std::span<double const> dual);
[[nodiscard]] std::vector<FamilyDuals> family_duals(ArcProgram const& program, ArcSolution const& solution);

} // namespace cax
