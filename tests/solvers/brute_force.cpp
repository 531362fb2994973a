#include "brute_force.hpp"

#include <algorithm>
#include <cmath>

namespace cax::test {
namespace {

constexpr double tolerance = 1e-7;

/// lower <= a'x <= upper, dense. `cut` alone: a hyperplane that points may lie on, but need not.
struct Constraint {
    std::vector<double> a;
    Bounds bounds;
    std::optional<double> cut;
};

/// The solution of a square system by Gauss' elimination with pivoting; nothing if it is singular.
std::optional<std::vector<double>> solve(std::vector<std::vector<double>> rows) {
    std::size_t const n = rows.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k; i < n; ++i) {
            if (std::abs(rows[i][k]) > std::abs(rows[pivot][k])) pivot = i;
        }
        if (std::abs(rows[pivot][k]) < 1e-9) return {};
        std::swap(rows[k], rows[pivot]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k) continue;
            double const factor = rows[i][k] / rows[k][k];
            for (std::size_t j = k; j <= n; ++j) rows[i][j] -= factor * rows[k][j];
        }
    }
    std::vector<double> x(n);
    for (std::size_t k = 0; k < n; ++k) x[k] = rows[k][n] / rows[k][k];
    return x;
}

bool satisfies(std::vector<Constraint> const& constraints, std::span<double const> x) {
    return std::all_of(constraints.begin(), constraints.end(), [&](Constraint const& c) {
        if (c.cut) return true;
        double value = 0;
        double size = 1;
        for (std::size_t j = 0; j < x.size(); ++j) {
            value += c.a[j] * x[j];
            size = std::max(size, std::abs(c.a[j] * x[j]));
        }
        return value >= c.bounds.lower - tolerance * size && value <= c.bounds.upper + tolerance * size;
    });
}

std::vector<std::vector<double>> vertices(std::vector<Constraint> const& constraints, std::size_t n) {
    std::vector<std::vector<double>> planes; // every side of every constraint as an equation
    for (Constraint const& c : constraints) {
        for (double side : {c.cut.value_or(c.bounds.lower), c.cut.value_or(c.bounds.upper)}) {
            if (!std::isfinite(side)) continue;
            planes.push_back(c.a);
            planes.back().push_back(side);
            if (c.cut || c.bounds.lower == c.bounds.upper) break;
        }
    }
    std::vector<std::vector<double>> found;
    std::vector<std::vector<double>> chosen;
    std::function<void(std::size_t)> const choose = [&](std::size_t first) {
        if (chosen.size() == n) {
            auto x = solve(chosen);
            if (x && satisfies(constraints, *x)) found.push_back(std::move(*x));
            return;
        }
        for (std::size_t k = first; k < planes.size(); ++k) {
            chosen.push_back(planes[k]);
            choose(k + 1);
            chosen.pop_back();
        }
    };
    choose(0);
    return found;
}

std::vector<double> unit(std::size_t n, std::size_t j) {
    std::vector<double> e(n);
    e[j] = 1;
    return e;
}

/// The sign that a price may have (in the sense of minimisation) on lower <= value <= upper at `value`.
Bounds allowed_price(double value, Bounds bounds) {
    bool const at_lower = value <= bounds.lower + tolerance;
    bool const at_upper = value >= bounds.upper - tolerance;
    return {at_upper ? -lp_infinity : 0, at_lower ? lp_infinity : 0};
}

} // namespace

LinearProgram random_program(Rng& rng, std::size_t max_columns, std::size_t max_rows) {
    auto const number = [&](int low, int high) {
        return static_cast<double>(low) + static_cast<double>(rng.below(static_cast<std::uint64_t>(high - low + 1)));
    };
    LinearProgram program(rng.below(2) == 0 ? Sense::minimise : Sense::maximise, 2);
    std::size_t const columns = 1 + rng.below(max_columns);
    std::size_t const rows = 1 + rng.below(max_rows);
    for (std::size_t j = 0; j < columns; ++j) {
        double const lower = number(-1, 1);
        std::uint64_t const kind = rng.below(6);
        Bounds bounds = between(lower, lower + number(0, 3));
        if (kind < 2) bounds = at_least(lower);
        if (kind == 2) bounds = at_most(lower);
        program.add_column(bounds, number(-3, 3));
    }
    for (std::size_t i = 0; i < rows; ++i) {
        std::vector<Term> terms;
        for (std::size_t j = 0; j < columns; ++j) {
            if (double const a = number(-2, 2); a != 0) terms.push_back({j, a});
        }
        double const rhs = number(-3, 3);
        std::uint64_t const kind = rng.below(8);
        Bounds bounds = exactly(rhs);
        if (kind < 2) bounds = at_least(rhs);
        if (kind == 2 || kind == 3) bounds = at_most(rhs);
        if (kind == 4) bounds = between(rhs, rhs + number(1, 2));
        program.add_row(bounds, rng.below(5) == 0 ? no_family : rng.below(2), terms);
    }
    return program;
}

bool touches_far_away(std::span<double const> point) {
    return std::any_of(point.begin(), point.end(), [](double x) { return std::abs(x) > far_away / 2; });
}

std::optional<BruteForceOptimum> brute_force(LinearProgram const& program) {
    std::size_t const n = program.columns();
    std::vector<Constraint> constraints;
    for (std::size_t j = 0; j < n; ++j) {
        Bounds const bounds = program.column_bounds(j);
        constraints.push_back({unit(n, j), {std::max(bounds.lower, -far_away), std::min(bounds.upper, far_away)}, {}});
    }
    for (std::size_t i = 0; i < program.rows(); ++i) {
        Constraint row{std::vector<double>(n), program.row_bounds(i), {}};
        for (Term const& term : program.terms(i)) row.a[term.column] = term.coefficient;
        constraints.push_back(std::move(row));
    }
    std::optional<BruteForceOptimum> best;
    for (auto& x : vertices(constraints, n)) {
        double const value = objective_value(program, x);
        bool const better = !best || (program.sense() == Sense::minimise ? value < best->objective - tolerance
                                                                         : value > best->objective + tolerance);
        if (better) best = BruteForceOptimum{value, std::move(x)};
    }
    return best;
}

std::vector<std::vector<double>> dual_vertices(LinearProgram const& program, std::span<double const> primal) {
    std::size_t const m = program.rows();
    double const sign = program.sense() == Sense::minimise ? 1 : -1;
    std::vector<Constraint> constraints;
    for (std::size_t i = 0; i < m; ++i) {
        Bounds const allowed = allowed_price(row_activity(program, i, primal), program.row_bounds(i));
        // Prices live in the program's own sense.
        Bounds const signed_bounds = sign > 0 ? allowed : Bounds{-allowed.upper, -allowed.lower};
        constraints.push_back(
            {unit(m, i), {std::max(signed_bounds.lower, -far_away), std::min(signed_bounds.upper, far_away)}, {}});
        constraints.push_back({unit(m, i), {}, 0.0});
    }
    for (std::size_t j = 0; j < program.columns(); ++j) {
        std::vector<double> a(m);
        for (std::size_t i = 0; i < m; ++i) {
            for (Term const& term : program.terms(i)) {
                if (term.column == j) a[i] = sign * term.coefficient;
            }
        }
        // sign * (c - A'y) within the allowed prices of the column.
        Bounds const allowed = allowed_price(primal[j], program.column_bounds(j));
        double const c = sign * program.objective(j);
        constraints.push_back({std::move(a), {c - allowed.upper, c - allowed.lower}, {}});
    }
    return vertices(constraints, m);
}

} // namespace cax::test
