#include "cax/explain/multipliers.hpp"

#include "cax/model/linear_program.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/solvers/arc_pricing.hpp"
#include "multipliers/ascent.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

Error contradiction(std::string message) { return {ErrorCode::invalid_value, std::move(message)}; }

Result<void> check(MultiplierOptions const& options, ProblemInfo const& info) {
    if (options.backend == Backend::given) {
        if (options.given.size() != info.families.size()) {
            return contradiction(fmt::format("lambda: {} values for {} families of {}", options.given.size(),
                                             info.families.size(), info.name));
        }
        for (std::size_t k = 0; k < options.given.size(); ++k) {
            if (auto const value = options.given[k]; value && !(std::isfinite(*value) && *value >= 0)) {
                return contradiction(
                    fmt::format("lambda: {} is {}, which is no finite number >= 0", info.families[k], *value));
            }
        }
    }
    if (options.backend != Backend::lp) return {};
    bool const has_sums = options.aggregate == Aggregate::mean || options.aggregate == Aggregate::sum;
    if (options.vertex == DualVertex::least && !has_sums) {
        return contradiction(
            fmt::format("the least dual is defined for mean and sum, not for {}", name_of(options.aggregate)));
    }
    if (options.dual_range && options.aggregate == Aggregate::max) {
        return contradiction("dual ranges are defined for mean, sum and share, not for max");
    }
    return {};
}

Multipliers start(MultiplierOptions const& options, std::size_t families) {
    Multipliers result;
    result.backend = options.backend;
    result.aggregate = options.aggregate;
    result.vertex = options.vertex;
    result.families.resize(families);
    return result;
}

Multipliers proxy_multipliers(Multipliers result) {
    for (FamilyMultiplier& family : result.families) family.value = 1;
    return result;
}

Multipliers given_multipliers(Multipliers result, std::span<std::optional<double> const> given) {
    for (std::size_t k = 0; k < given.size(); ++k) {
        result.families[k] = {given[k] ? FamilyStatus::computed : FamilyStatus::not_given, given[k]};
    }
    return result;
}

Result<Multipliers> ascent_multipliers(Multipliers result, Instance const& instance) {
    auto const relaxation = lagrangian_of(instance);
    if (!relaxation) return relaxation.error();
    AscentSettings const& settings = (*relaxation)->settings();
    double const sign = result.backend == Backend::subgrad ? settings.published_sign : 1;
    AscentResult const found = ascend(**relaxation, sign);
    for (std::size_t k = 0; k < result.families.size(); ++k) {
        result.families[k] = {settings.dualised[k] != 0 ? FamilyStatus::computed : FamilyStatus::not_dualised,
                              found.lambda[k]};
    }
    bool const still_rising = !found.converged && found.best_iteration + 1 == found.iterations;
    result.ascent = AscentReport{found.iterations, found.best_value, still_rising};
    return result;
}

/// Per family b'y / bound, or nothing where the bound is 0.
std::vector<double> shares_of(std::span<FamilyDuals const> duals, double objective) {
    constexpr double no_bound = 1e-9;
    std::vector<double> shares;
    if (std::abs(objective) <= no_bound) return shares;
    for (FamilyDuals const& family : duals) shares.push_back(family.worth / objective);
    return shares;
}

/// The aggregate at the vertex where the solver stopped; no status but that of shares can be other than computed.
FamilyMultiplier at_vertex(std::span<FamilyDuals const> duals, std::vector<double> const& shares, Aggregate aggregate,
                           std::size_t family) {
    switch (aggregate) {
    case Aggregate::share:
        if (shares.empty()) return {FamilyStatus::no_share, {}};
        return {FamilyStatus::computed, std::abs(shares[family])};
    case Aggregate::max: return {FamilyStatus::computed, duals[family].largest};
    case Aggregate::sum: return {FamilyStatus::computed, duals[family].sum};
    case Aggregate::mean: break;
    }
    double const rows = std::max(1.0, static_cast<double>(duals[family].rows));
    return {FamilyStatus::computed, duals[family].sum / rows};
}

/// Means as they are, sums times the number of rows.
MultiplierRange in_units(FamilyRange const& range, std::span<double const> rows, std::size_t family,
                         Aggregate aggregate) {
    MultiplierRange result{range.min,    range.max,    range.max_upper_bound, range.max_exact,
                           range.at_min, range.at_max, range.unbounded_along};
    if (aggregate == Aggregate::mean) return result;
    result.low *= rows[family];
    result.high *= rows[family];
    result.high_bound *= rows[family];
    for (std::size_t k = 0; k < result.at_low.size(); ++k) result.at_low[k] *= rows[k];
    for (std::size_t k = 0; k < result.at_high.size(); ++k) result.at_high[k] *= rows[k];
    return result;
}

/// |share| over an interval of shares.
MultiplierRange of_shares(Interval share) {
    double const high = std::max(std::abs(share.low), std::abs(share.high));
    bool const through_zero = share.low <= 0 && share.high >= 0;
    double const low = through_zero ? 0 : std::min(std::abs(share.low), std::abs(share.high));
    return {low, high, high, true, {}, {}, std::isfinite(high) ? "" : "the share"};
}

/// The program has an optimum, so that anything else is the solver's failure.
Result<DualRanges> optimal_ranges(LinearProgram const& program, DualRangeOptions const& options) {
    auto found = dual_ranges(clp_solver(), program, options);
    if (!found || found->status == LpStatus::optimal) return found;
    return Error{ErrorCode::solver_failed,
                 fmt::format("the range of the multipliers: the LP ended as {}", name_of(found->status))};
}

/// What the solver itself attains lies in the range, whatever rounding says.
void include(MultiplierRange& range, double value) {
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
    range.high_bound = std::max(range.high_bound, range.high);
}

/// `solution` is the solver's, of this program with or without its redundant rows, as `redundant` says.
Result<ProgramRange> range_of(LinearProgram const& program, LpSolution const& solution,
                              MultiplierOptions const& options, RedundantRows redundant) {
    DualRangeOptions range_options;
    range_options.redundant = redundant;
    range_options.limits = options.limits;
    auto const found = optimal_ranges(program, range_options);
    if (!found) return found.error();
    std::vector<double> rows;
    for (std::size_t k = 0; k < program.families(); ++k) rows.push_back(static_cast<double>(program.rows_of(k)));
    auto const duals = family_duals(program, solution.dual);
    auto const shares = shares_of(duals, solution.objective);
    ProgramRange result;
    for (std::size_t k = 0; k < found->families.size(); ++k) {
        auto const value = at_vertex(duals, shares, options.aggregate, k).value;
        if (!value || (options.aggregate == Aggregate::share && !found->shares)) return ProgramRange{};
        result.values.push_back(*value);
        result.families.push_back(options.aggregate == Aggregate::share
                                      ? of_shares((*found->shares)[k])
                                      : in_units(found->families[k], rows, k, options.aggregate));
        include(result.families.back(), *value);
    }
    return result;
}

Result<RangeReport> range_report(LinearProgram const& program, LpSolution const& solution,
                                 MultiplierOptions const& options) {
    auto kept = range_of(program, solution, options, RedundantRows::kept);
    if (!kept) return kept.error();
    auto const reduced = clp_solver().solve(without_redundancy(program), options.limits);
    if (!reduced) return reduced.error();
    if (reduced->status != LpStatus::optimal) {
        return Error{ErrorCode::solver_failed,
                     fmt::format("the relaxation without its redundant rows ended as {}", name_of(reduced->status))};
    }
    auto dropped = range_of(program, *reduced, options, RedundantRows::dropped);
    if (!dropped) return dropped.error();
    return RangeReport{*std::move(kept), *std::move(dropped)};
}

Result<void> take_least(Multipliers& result, LinearProgram const& program, MultiplierOptions const& options) {
    DualRangeOptions range_options;
    range_options.redundant = RedundantRows::kept;
    range_options.only_smallest = true;
    range_options.limits = options.limits;
    auto const found = optimal_ranges(program, range_options);
    if (!found) return found.error();
    for (std::size_t k = 0; k < found->families.size(); ++k) {
        if (result.families[k].status != FamilyStatus::computed) continue;
        double const rows = options.aggregate == Aggregate::sum ? static_cast<double>(program.rows_of(k)) : 1;
        result.families[k].value = found->families[k].min * rows;
    }
    return {};
}

/// What both forms of a program end with. `duals` are empty unless the report is optimal.
void take_vertex(Multipliers& result, LpReport report, std::span<FamilyDuals const> duals,
                 std::span<std::size_t const> rows) {
    bool const optimal = report.status == LpStatus::optimal;
    if (optimal) report.shares = shares_of(duals, report.objective);
    for (std::size_t k = 0; k < result.families.size(); ++k) {
        if (rows[k] == 0) {
            result.families[k] = {FamilyStatus::no_rows, {}};
        } else if (!optimal) {
            result.families[k] = {FamilyStatus::lp_not_optimal, {}};
        } else {
            result.families[k] = at_vertex(duals, report.shares, result.aggregate, k);
        }
    }
    result.lp = std::move(report);
}

Multipliers too_large(Multipliers result) {
    for (FamilyMultiplier& family : result.families) family = {FamilyStatus::too_large, {}};
    return result;
}

Result<Multipliers> written_out_multipliers(Multipliers result, Instance const& instance,
                                            MultiplierOptions const& options) {
    auto const program = relaxation_of(instance);
    if (!program) return program.error();
    auto const solution = clp_solver().solve(*program, options.limits);
    if (!solution) return solution.error();
    LpReport report;
    report.status = solution->status;
    report.iterations = solution->iterations;
    std::vector<std::size_t> rows;
    for (std::size_t k = 0; k < program->families(); ++k) rows.push_back(program->rows_of(k));
    if (solution->status != LpStatus::optimal) {
        take_vertex(result, std::move(report), {}, rows);
        return result;
    }
    report.objective = solution->objective;
    report.audit = audit(*program, *solution);
    take_vertex(result, std::move(report), family_duals(*program, solution->dual), rows);
    if (options.vertex == DualVertex::least) {
        if (auto done = take_least(result, *program, options); !done) return done.error();
    }
    if (options.dual_range) {
        auto range = range_report(*program, *solution, options);
        if (!range) return range.error();
        result.range = *std::move(range);
    }
    return result;
}

/// The face of all optimal duals needs the whole program: what is asked of it here is answered by "too large".
Result<Multipliers> arc_multipliers(Multipliers result, ArcProgram const& program, MultiplierOptions const& options) {
    result.range_too_large = options.dual_range;
    if (program.nodes > largest_over_arcs || options.vertex == DualVertex::least) return too_large(std::move(result));
    auto const solution = solve(clp_solver(), program, options.limits);
    if (!solution) return solution.error();
    LpReport report;
    report.status = solution->status;
    report.iterations = solution->iterations;
    report.rounds = solution->rounds;
    report.columns = solution->columns;
    std::vector<FamilyDuals> duals;
    if (report.status == LpStatus::optimal) {
        report.objective = solution->objective;
        report.audit = audit(program, *solution);
        duals = family_duals(program, *solution);
    }
    take_vertex(result, std::move(report), duals, program.rows_of_families());
    return result;
}

Result<Multipliers> lp_multipliers(Multipliers result, Instance const& instance, MultiplierOptions const& options) {
    auto const arcs =
        options.form == ProgramForm::written_out ? std::optional<ArcProgram>() : arc_relaxation_of(instance);
    bool const face = options.dual_range || options.vertex == DualVertex::least;
    std::size_t const largest = face ? most_nodes_written_out : largest_written_out;
    bool const over_arcs = arcs && (options.form == ProgramForm::over_arcs || arcs->nodes > largest);
    return over_arcs ? arc_multipliers(std::move(result), *arcs, options)
                     : written_out_multipliers(std::move(result), instance, options);
}

} // namespace

std::optional<std::vector<double>> Multipliers::values() const {
    std::vector<double> result;
    for (FamilyMultiplier const& family : families) {
        if (!family.value) return {};
        result.push_back(*family.value);
    }
    return result;
}

Result<Multipliers> compute_multipliers(Instance const& instance, MultiplierOptions const& options) {
    ProblemInfo const& info = instance.problem().info();
    if (auto valid = check(options, info); !valid) return valid.error();
    Multipliers result = start(options, info.families.size());
    switch (options.backend) {
    case Backend::proxy: return proxy_multipliers(std::move(result));
    case Backend::given: return given_multipliers(std::move(result), options.given);
    case Backend::subgrad:
    case Backend::lagrangian: return ascent_multipliers(std::move(result), instance);
    case Backend::lp: break;
    }
    return lp_multipliers(std::move(result), instance, options);
}

} // namespace cax
