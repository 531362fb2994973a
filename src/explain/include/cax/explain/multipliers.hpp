#pragma once
// The multiplier lambda of every constraint family of an instance: how much its constraints press. One call per
// instance serves all its steps. Nothing is ever replaced by a silent 0 or 1: a family without a value says why.
#include "cax/core/names.hpp"
#include "cax/core/result.hpp"
#include "cax/problems/problem.hpp"
#include "cax/solvers/dual_range.hpp"
#include "cax/solvers/lp.hpp"
#include "cax/solvers/lp_audit.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cax {

enum class Backend {
    proxy,      ///< 1 for every family
    lp,         ///< duals of the linear relaxation
    subgrad,    ///< the published subgradient ascent, the paper's negative control
    lagrangian, ///< the same ascent with the sign that a Lagrangian has
    given,      ///< by the caller
};

/// How a family's duals become one number.
enum class Aggregate {
    mean,  ///< mean |dual| over the family's rows
    sum,   ///< sum of |dual|
    max,   ///< largest |dual|
    share, ///< |b'y| over the family's rows, divided by |the LP's bound|: free of units
};

/// Which of the optimal dual solutions.
enum class DualVertex {
    simplex, ///< the one that the solver stops at, as in the paper
    least,   ///< per family the smallest value over all of them, whatever the solver
};

[[nodiscard]] NameTable<Backend> names_of(Backend);
[[nodiscard]] NameTable<Aggregate> names_of(Aggregate);
[[nodiscard]] NameTable<DualVertex> names_of(DualVertex);

/// "capacity=1,spatial=0.2" as MultiplierOptions::given. The error names the part that makes no sense.
[[nodiscard]] Result<std::vector<std::optional<double>>> parse_given(ProblemInfo const& info, std::string_view text);

/// In which form a relaxation over arcs is solved. Both have the same optimum and the same optimal duals; where there
/// is more than one of these, the solver may stop at another.
enum class ProgramForm {
    by_size,     ///< written out up to largest_written_out nodes (or, if the range or the least is asked for, as far as
                 ///< that goes), else over arcs
    written_out, ///< every column and row
    over_arcs,   ///< those that are needed: arc_pricing.hpp
};
/// Up to here the whole program is a matter of a second and 200 MB.
inline constexpr std::size_t largest_written_out = 300;
/// Up to here programs over arcs are a matter of minutes: every round looks at all pairs of nodes.
inline constexpr std::size_t largest_over_arcs = 10'000;

struct MultiplierOptions {
    Backend backend = Backend::lp;
    Aggregate aggregate = Aggregate::mean;    ///< lp only
    DualVertex vertex = DualVertex::simplex;  ///< lp only; `least` with mean or sum
    bool dual_range = false;                  ///< lp only; with mean, sum or share
    std::vector<std::optional<double>> given; ///< Backend::given: per family; missing ones are reported as such
    LpLimits limits;
    ProgramForm form = ProgramForm::by_size; ///< lp only
};

enum class FamilyStatus {
    computed,
    no_rows,        ///< the relaxation has no row of this family: there is no dual
    not_dualised,   ///< the Lagrangian keeps this family's constraints: its multiplier is 0 by definition
    not_given,      ///< the caller gave no value
    lp_not_optimal, ///< the relaxation has no optimum: see LpReport::status
    too_large,      ///< the relaxation has too many nodes; --backend proxy needs none
    no_share,       ///< the LP's bound is 0: nothing to have a share of
};
[[nodiscard]] std::string_view name_of(FamilyStatus status);

struct FamilyMultiplier {
    FamilyStatus status = FamilyStatus::computed;
    std::optional<double> value; ///< there if computed or not dualised; finite and >= 0
};

struct LpReport {
    LpStatus status = LpStatus::numerical_failure;
    double objective = 0; ///< if optimal, as are the next two
    LpAudit audit;
    std::vector<double> shares; ///< per family, signed; empty if the objective is 0
    std::size_t iterations = 0;
    // Of programs over arcs:
    std::size_t rounds = 0;  ///< linear programs that were solved on the way; 0 = the program was written out
    std::size_t columns = 0; ///< arcs that came into them
};

struct AscentReport {
    std::size_t iterations = 0;
    double best_value = 0; ///< of the Lagrangian
    /// The last iterate was the best one: the ascent was cut off, not finished, and lambda depends on where.
    bool still_rising = false;
};

/// What a family's multiplier may be over all optimal duals of one program.
struct MultiplierRange {
    double low = 0;
    double high = 0;             ///< attained, infinite if unbounded
    double high_bound = 0;       ///< no optimal dual is above this
    bool high_exact = true;      ///< nor above `high`: the two agree
    std::vector<double> at_low;  ///< all families' multipliers at the dual that attains `low`; may be empty
    std::vector<double> at_high; ///< likewise
    std::string unbounded_along; ///< names the row, empty if bounded
};

/// One program's optimal duals: where the solver stops, and how far each family can be from there.
struct ProgramRange {
    std::vector<double> values;            ///< per family, at the solver's vertex of this program: inside the range
    std::vector<MultiplierRange> families; ///< empty if there is nothing to have a share of
};

/// The relaxation has rows that others imply. They change no solution, but their prices have no limit: with them some
/// families grow without end (`unbounded_along` then names a row). Every optimal dual of the program without them is
/// also one of the program with them, so that its ranges are narrower.
struct RangeReport {
    ProgramRange with_redundant_rows;    ///< the paper's program, which Multipliers::families are of
    ProgramRange without_redundant_rows; ///< what dual_unique() speaks of
};

struct Multipliers {
    Backend backend = Backend::lp;
    Aggregate aggregate = Aggregate::mean;
    DualVertex vertex = DualVertex::simplex;
    std::vector<FamilyMultiplier> families; ///< in the order of ProblemInfo::families
    std::optional<LpReport> lp;
    std::optional<AscentReport> ascent;
    std::optional<RangeReport> range;
    bool range_too_large = false; ///< the range was asked for, and the program is too large to be written out

    /// One number per family, or nothing if some family has none.
    [[nodiscard]] std::optional<std::vector<double>> values() const;
};

/// Error if options contradict each other or the solver breaks down. A relaxation that is infeasible or too large is an
/// answer.
[[nodiscard]] Result<Multipliers> compute_multipliers(Instance const& instance, MultiplierOptions const& options = {});

enum class TopFamily {
    unique,     ///< the same family has the largest lambda * mass at every optimal dual
    not_unique, ///< two optimal duals are known that disagree, or there is a tie
    undecided,  ///< the ranges overlap, but no two known duals disagree
};
[[nodiscard]] NameTable<TopFamily> names_of(TopFamily);

/// Is the family with the largest lambda_k * masses[k] the same at every optimal dual?
[[nodiscard]] TopFamily top_family(std::span<double const> masses, std::span<MultiplierRange const> ranges);
/// Which one that is: even its smallest score is above every other family's largest possible one. There if unique.
[[nodiscard]] std::optional<std::size_t> dominating_family(std::span<double const> masses,
                                                           std::span<MultiplierRange const> ranges);

} // namespace cax
