#include "cax/solvers/dual_range.hpp"

#include "dual_face.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax {

LinearProgram without_redundancy(LinearProgram program) {
    for (std::size_t i = 0; i < program.rows(); ++i) {
        if (program.is_redundant(i)) program.set_row_bounds(i, {});
    }
    for (std::size_t j = 0; j < program.columns(); ++j) {
        if (program.upper_is_redundant(j)) program.set_column_bounds(j, at_least(program.column_bounds(j).lower));
    }
    return program;
}

std::vector<double> family_sums(LinearProgram const& program, std::span<double const> dual) {
    std::vector<double> sums(program.families());
    for (std::size_t i = 0; i < program.rows(); ++i) {
        if (program.family(i) != no_family) sums[program.family(i)] += std::abs(dual[i]);
    }
    return sums;
}

std::vector<double> family_worths(LinearProgram const& program, std::span<double const> dual) {
    double const sign = program.sense() == Sense::minimise ? 1 : -1;
    std::vector<double> worths(program.families());
    for (std::size_t i = 0; i < program.rows(); ++i) {
        if (program.family(i) == no_family || dual[i] == 0) continue;
        double const bound = sign * dual[i] > 0 ? program.row_bounds(i).lower : program.row_bounds(i).upper;
        if (std::isfinite(bound)) worths[program.family(i)] += bound * dual[i];
    }
    return worths;
}

namespace {

/// Up to this many rows of unknown sign, every combination of signs is tried.
constexpr std::size_t max_sign_patterns_log2 = 3;
/// Prices closer to 0 than this, relative to the largest, have no sign.
constexpr double no_sign = 1e-9;

/// Finds the range of one family's sum of |y|.
class FamilySearch {
public:
    FamilySearch(LinearProgram const& program, DualFace& face, std::size_t family)
        : program_(program), face_(face), family_(family) {
        for (std::size_t i = 0; i < program.rows(); ++i) {
            if (program.family(i) == family) rows_.push_back(i);
        }
    }

    [[nodiscard]] Result<FamilyRange> run(bool only_smallest);

private:
    struct Row {
        std::size_t index = 0;
        Interval price;
    };
    [[nodiscard]] Result<void> find_smallest();
    [[nodiscard]] Result<void> find_largest();
    [[nodiscard]] Result<void> bound_rows();
    [[nodiscard]] Result<void> try_all_signs();
    [[nodiscard]] Result<void> climb();
    [[nodiscard]] Result<void> climb_from(std::vector<double> weights);

    [[nodiscard]] double sum(std::span<double const> dual) const;
    [[nodiscard]] std::vector<double> means(std::span<double const> dual) const;
    [[nodiscard]] std::vector<double> signs_of(std::span<double const> dual) const;
    void note(DualFace::Extreme const& extreme);
    void set_unbounded(std::size_t row);

    LinearProgram const& program_;
    DualFace& face_;
    std::size_t family_;
    std::vector<std::size_t> rows_;
    std::vector<double> known_signs_; ///< per row of the program: +-1 where the sign is known, else 0
    std::vector<Row> mixed_;          ///< rows whose price has both signs on the face
    double best_ = -1;                ///< largest sum seen
    std::vector<double> best_dual_;
    FamilyRange range_;
};

double FamilySearch::sum(std::span<double const> dual) const {
    double total = 0;
    for (std::size_t i : rows_) total += std::abs(dual[i]);
    return total;
}

std::vector<double> FamilySearch::means(std::span<double const> dual) const {
    std::vector<double> result = family_sums(program_, dual);
    for (std::size_t k = 0; k < result.size(); ++k) {
        if (std::size_t const rows = program_.rows_of(k)) result[k] /= static_cast<double>(rows);
    }
    return result;
}

void FamilySearch::note(DualFace::Extreme const& extreme) {
    double const total = sum(extreme.dual);
    if (total <= best_) return;
    best_ = total;
    best_dual_ = extreme.dual;
}

void FamilySearch::set_unbounded(std::size_t row) {
    range_.max = range_.max_upper_bound = lp_infinity;
    range_.unbounded_along = fmt::format("row {}{}", row, program_.is_redundant(row) ? ", which other rows imply" : "");
}

Result<FamilyRange> FamilySearch::run(bool only_smallest) {
    range_.rows = rows_.size();
    if (rows_.empty()) return range_;
    if (auto done = find_smallest(); !done) return done.error();
    if (only_smallest) return range_;
    if (auto done = find_largest(); !done) return done.error();
    return range_;
}

Result<void> FamilySearch::find_smallest() {
    auto smallest = face_.minimise_sum(family_);
    if (!smallest) return smallest.error();
    range_.min = smallest->value / static_cast<double>(rows_.size());
    range_.at_min = means(smallest->dual);
    note(*smallest);
    return {};
}

Result<void> FamilySearch::find_largest() {
    if (auto done = bound_rows(); !done || range_.unbounded()) return done;
    auto const rows = static_cast<double>(rows_.size());
    if (auto done = mixed_.size() <= max_sign_patterns_log2 ? try_all_signs() : climb(); !done) return done;
    if (range_.unbounded()) return {};
    range_.max = std::max(range_.min, best_ / rows);
    range_.max_upper_bound = range_.max_exact ? range_.max : std::max(range_.max, range_.max_upper_bound);
    range_.at_max = means(best_dual_);
    return {};
}

/// The range of every single price whose sign is open. Also finds out whether the sum is bounded.
Result<void> FamilySearch::bound_rows() {
    known_signs_.assign(program_.rows(), 0);
    std::vector<double> weights(program_.rows());
    for (std::size_t i : rows_) known_signs_[i] = face_.price_sign(i);
    for (std::size_t i : rows_) {
        if (face_.side(i) != DualFace::Side::both) continue;
        Row row{i, {}};
        for (double const direction : {1.0, -1.0}) {
            weights[i] = direction;
            auto end = face_.maximise(weights);
            weights[i] = 0;
            if (!end) return end.error();
            if (end->unbounded) return set_unbounded(i), Result<void>();
            (direction > 0 ? row.price.high : row.price.low) = direction * end->value;
            note(*end);
        }
        double const reach = no_sign * (1 + std::max(std::abs(row.price.low), std::abs(row.price.high)));
        if (row.price.low >= -reach) {
            known_signs_[i] = 1;
        } else if (row.price.high <= reach) {
            known_signs_[i] = -1;
        } else {
            mixed_.push_back(row);
        }
    }
    return {};
}

Result<void> FamilySearch::try_all_signs() {
    std::vector<double> weights = known_signs_;
    for (std::size_t pattern = 0; pattern < (std::size_t{1} << mixed_.size()); ++pattern) {
        for (std::size_t k = 0; k < mixed_.size(); ++k) {
            weights[mixed_[k].index] = ((pattern >> k) & 1u) != 0 ? 1 : -1;
        }
        auto end = face_.maximise(weights);
        if (!end) return end.error();
        if (end->unbounded) return set_unbounded(rows_.front()), Result<void>();
        note(*end);
    }
    return {};
}

std::vector<double> FamilySearch::signs_of(std::span<double const> dual) const {
    std::vector<double> weights = known_signs_;
    for (Row const& row : mixed_) weights[row.index] = dual[row.index] < 0 ? -1 : 1;
    return weights;
}

/// Maximising s'y for the signs s of the last y never makes the sum of |y| smaller: it ends in a local maximum.
Result<void> FamilySearch::climb_from(std::vector<double> weights) {
    for (double last = -1;;) {
        auto end = face_.maximise(weights);
        if (!end) return end.error();
        if (end->unbounded) return set_unbounded(rows_.front()), Result<void>();
        note(*end);
        double const total = sum(end->dual);
        if (total <= last + no_sign * (1 + last)) return {};
        last = total;
        weights = signs_of(end->dual);
    }
}

/// The upper bound replaces |y| on [low, high] by its chord, which is linear and never below it.
Result<void> FamilySearch::climb() {
    std::vector<double> chord = known_signs_;
    double constant = 0;
    for (Row const& row : mixed_) {
        double const slope = (row.price.high + row.price.low) / (row.price.high - row.price.low);
        chord[row.index] = slope;
        constant += row.price.high * (1 - slope);
    }
    auto bound = face_.maximise(chord);
    if (!bound) return bound.error();
    if (bound->unbounded) return set_unbounded(rows_.front()), Result<void>();
    note(*bound);
    if (auto done = climb_from(signs_of(std::vector<double>(best_dual_))); !done) return done;
    if (auto done = climb_from(signs_of(bound->dual)); !done) return done;
    double const upper = bound->value + constant;
    range_.max_upper_bound = upper / static_cast<double>(rows_.size());
    range_.max_exact = upper <= best_ + no_sign * (1 + best_);
    return {};
}

/// Both ends of b'y over one family's rows, or over all rows of any family.
Result<Interval> worth_range(LinearProgram const& program, DualFace& face, std::size_t family, bool all_families) {
    std::vector<double> weights(program.rows());
    for (std::size_t i = 0; i < program.rows(); ++i) {
        bool const counts = all_families ? program.family(i) != no_family : program.family(i) == family;
        if (counts && face.side(i) != DualFace::Side::slack) weights[i] = face.active_bound(i);
    }
    auto high = face.maximise(weights);
    if (!high) return high.error();
    for (double& weight : weights) weight = -weight;
    auto low = face.maximise(weights);
    if (!low) return low.error();
    return Interval{-low->value, high->value};
}

Interval divided(Interval interval, double divisor) {
    if (divisor < 0) return {interval.high / divisor, interval.low / divisor};
    return {interval.low / divisor, interval.high / divisor};
}

Result<void> find_shares(LinearProgram const& program, DualFace& face, DualRanges& ranges) {
    constexpr double no_bound = 1e-9;
    if (std::abs(ranges.objective) <= no_bound) return {};
    std::vector<Interval> shares;
    for (std::size_t k = 0; k < program.families(); ++k) {
        auto worth = worth_range(program, face, k, false);
        if (!worth) return worth.error();
        shares.push_back(divided(*worth, ranges.objective));
    }
    auto all = worth_range(program, face, no_family, true);
    if (!all) return all.error();
    Interval const rows = divided(*all, ranges.objective);
    ranges.bounds_share = {1 - rows.high, 1 - rows.low};
    ranges.shares = std::move(shares);
    return {};
}

} // namespace

Result<DualRanges> dual_ranges(LpSolver const& solver, LinearProgram const& program, DualRangeOptions const& options) {
    bool const drop = options.redundant == RedundantRows::dropped;
    LinearProgram const kept = drop ? without_redundancy(program) : program;
    auto face = DualFace::open(solver, kept, options.limits);
    if (!face) return face.error();

    DualRanges ranges;
    ranges.redundant = options.redundant;
    ranges.status = face->solution().status;
    if (ranges.status != LpStatus::optimal) return ranges;
    ranges.objective = face->solution().objective;
    for (std::size_t k = 0; k < program.families(); ++k) {
        auto range = FamilySearch(kept, *face, k).run(options.only_smallest);
        if (!range) return range.error();
        ranges.families.push_back(std::move(*range));
    }
    if (options.only_smallest) return ranges;
    if (auto done = find_shares(kept, *face, ranges); !done) return done.error();
    return ranges;
}

} // namespace cax
