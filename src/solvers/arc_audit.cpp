// The audit of a solution of a program over arcs: every column and every row of the whole program is looked at, and
// none is kept.
#include "cax/solvers/arc_pricing.hpp"
#include "lp_worth.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax {
namespace {

/// Values and prices of the arcs from one node, by the node that they lead to.
class ArcsFrom {
public:
    ArcsFrom(ArcProgram const& program, ArcSolution const& solution)
        : solution_(solution), value(program.nodes), price(program.links.size(), std::vector<double>(program.nodes)) {}

    /// Call for 0, 1, 2, ...
    void move_to(std::size_t node) {
        std::ranges::fill(value, 0.0);
        for (auto& each : price) std::ranges::fill(each, 0.0);
        for (; next_arc_ < solution_.arcs.size() && solution_.arcs[next_arc_].from == node; ++next_arc_) {
            value[solution_.arcs[next_arc_].to] = solution_.arcs[next_arc_].value;
        }
        for (; next_link_ < solution_.links.size() && solution_.links[next_link_].from == node; ++next_link_) {
            LinkPrice const& link = solution_.links[next_link_];
            price[link.group][link.to] = link.price;
        }
    }

private:
    ArcSolution const& solution_;
    std::size_t next_arc_ = 0;
    std::size_t next_link_ = 0;

public:
    std::vector<double> value;
    std::vector<std::vector<double>> price; ///< per group of links
};

/// Rows of the core while arcs go by, and what is found on the way.
struct Sums {
    std::vector<double> activity;
    std::vector<double> size;
    double objective = 0;
    double dual_objective = 0;
    double primal_residual = 0;
    double dual_residual = 0;

    void primal(double value, Bounds bounds, double scale) {
        primal_residual = std::max(primal_residual, outside(value, bounds) / (1 + scale));
    }
    void dual(double price, Bounds bounds, double scale) {
        Worth const worth = worth_of(price, bounds);
        dual_objective += worth.value;
        dual_residual = std::max(dual_residual, worth.wrong / (1 + scale));
    }
};

double largest_price(ArcSolution const& solution) {
    double largest = 0;
    for (double const y : solution.core_dual) largest = std::max(largest, std::abs(y));
    for (LinkPrice const& link : solution.links) largest = std::max(largest, std::abs(link.price));
    return largest;
}

/// One arc: its column, and its links.
void look_at_arc(ArcProgram const& program, ArcSolution const& solution, ArcsFrom const& from, std::size_t i,
                 std::size_t j, double price_scale, Sums& sums) {
    double const sign = program.core.sense() == Sense::minimise ? 1 : -1;
    double const x = from.value[j];
    ArcColumn const column = program.arc(i, j);
    Bounds const bounds = between(0, column.exists ? 1 : 0);
    double reduced = column.cost;
    double scale = std::abs(column.cost);
    for (Term const& term : column.terms()) {
        double const paid = term.coefficient * solution.core_dual[term.column];
        reduced -= paid;
        scale = std::max(scale, std::abs(paid));
        sums.activity[term.column] += term.coefficient * x;
        sums.size[term.column] = std::max(sums.size[term.column], std::abs(term.coefficient * x));
    }
    for (std::size_t g = 0; g < program.links.size(); ++g) {
        auto const link = program.links[g].link(i, j);
        if (!link) continue;
        double const price = from.price[g][j];
        reduced += link->big * price;
        scale = std::max(scale, std::abs(link->big * price));
        double const before = solution.core_primal[program.links[g].first_value + i];
        double const after = solution.core_primal[program.links[g].first_value + j];
        double const size = std::max({std::abs(link->least), std::abs(before), std::abs(after), link->big * x});
        sums.primal(after - before - link->big * x, at_least(link->least), size);
        sums.dual(sign * price, at_least(link->least), price_scale);
    }
    sums.objective += column.cost * x;
    sums.primal(x, bounds, size_of(bounds));
    sums.dual(sign * reduced, bounds, scale);
}

/// Rows and columns of the core, once all arcs have gone by.
void look_at_core(ArcProgram const& program, ArcSolution const& solution, double price_scale, Sums& sums) {
    LinearProgram const& core = program.core;
    double const sign = core.sense() == Sense::minimise ? 1 : -1;
    std::vector<double> reduced(core.objective().begin(), core.objective().end());
    std::vector<double> scale;
    for (double const cost : reduced) scale.push_back(std::abs(cost));
    auto const pay = [&](std::size_t column, double amount) {
        reduced[column] -= amount;
        scale[column] = std::max(scale[column], std::abs(amount));
    };
    for (std::size_t r = 0; r < core.rows(); ++r) {
        double const y = solution.core_dual[r];
        double size = std::max(sums.size[r], size_of(core.row_bounds(r)));
        for (Term const& term : core.terms(r)) {
            double const part = term.coefficient * solution.core_primal[term.column];
            sums.activity[r] += part;
            size = std::max(size, std::abs(part));
            pay(term.column, term.coefficient * y);
        }
        sums.primal(sums.activity[r], core.row_bounds(r), size);
        sums.dual(sign * y, core.row_bounds(r), price_scale);
    }
    for (LinkPrice const& link : solution.links) {
        std::size_t const first = program.links[link.group].first_value;
        pay(first + link.to, link.price);
        pay(first + link.from, -link.price);
    }
    for (std::size_t c = 0; c < core.columns(); ++c) {
        sums.objective += core.objective(c) * solution.core_primal[c];
        sums.primal(solution.core_primal[c], core.column_bounds(c), size_of(core.column_bounds(c)));
        sums.dual(sign * reduced[c], core.column_bounds(c), scale[c]);
    }
}

} // namespace

LpAudit audit(ArcProgram const& program, ArcSolution const& solution) {
    assert(solution.status == LpStatus::optimal);
    LinearProgram const& core = program.core;
    Sums sums;
    sums.activity.resize(core.rows());
    sums.size.resize(core.rows());
    double const price_scale = largest_price(solution);
    ArcsFrom from(program, solution);
    for (std::size_t i = 0; i < program.nodes; ++i) {
        from.move_to(i);
        for (std::size_t j = 0; j < program.nodes; ++j) {
            if (i != j) look_at_arc(program, solution, from, i, j, price_scale, sums);
        }
    }
    look_at_core(program, solution, price_scale, sums);
    double const objective = (core.sense() == Sense::minimise ? 1 : -1) * sums.objective;
    LpAudit result;
    result.primal_residual = sums.primal_residual;
    result.dual_residual = sums.dual_residual;
    result.gap = std::abs(objective - sums.dual_objective) / (1 + std::abs(objective));
    // Not-a-number must not pass for small: max() drops it, the gap does not.
    if (!std::isfinite(sums.dual_objective) || !std::isfinite(objective)) result.gap = lp_infinity;
    return result;
}

namespace {

void add_price(FamilyDuals& family, double sign, double price, Bounds bounds) {
    family.sum += std::abs(price);
    family.largest = std::max(family.largest, std::abs(price));
    double const bound = sign * price > 0 ? bounds.lower : bounds.upper;
    if (price != 0 && std::isfinite(bound)) family.worth += bound * price;
}

void add_rows(std::vector<FamilyDuals>& families, LinearProgram const& program, std::span<double const> dual) {
    double const sign = program.sense() == Sense::minimise ? 1 : -1;
    for (std::size_t r = 0; r < program.rows(); ++r) {
        if (program.family(r) != no_family)
            add_price(families[program.family(r)], sign, dual[r], program.row_bounds(r));
    }
}

} // namespace

std::vector<FamilyDuals> family_duals(LinearProgram const& program, std::span<double const> dual) {
    std::vector<FamilyDuals> families(program.families());
    for (std::size_t k = 0; k < families.size(); ++k) families[k].rows = program.rows_of(k);
    add_rows(families, program, dual);
    return families;
}

std::vector<FamilyDuals> family_duals(ArcProgram const& program, ArcSolution const& solution) {
    auto const rows = program.rows_of_families();
    std::vector<FamilyDuals> families(rows.size());
    for (std::size_t k = 0; k < families.size(); ++k) families[k].rows = rows[k];
    add_rows(families, program.core, solution.core_dual);
    double const sign = program.core.sense() == Sense::minimise ? 1 : -1;
    for (LinkPrice const& link : solution.links) {
        LinkGroup const& group = program.links[link.group];
        add_price(families[group.family], sign, link.price, at_least(group.link(link.from, link.to)->least));
    }
    return families;
}

} // namespace cax
