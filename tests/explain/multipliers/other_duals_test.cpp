// What is said of all optimal multipliers, held against other optimal duals than the solver's: points of the dual face
// that are found by writing the dual program down and asking for its extremes in random directions.
#include "cax/explain/attribution.hpp"
#include "cax/model/linear_program.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/registry.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

InstancePtr tour_problem(std::string const& size, std::uint32_t seed) {
    Rng rng(31, seed);
    auto instance = find_problem("op")->generate(size, {}, rng);
    EXPECT_TRUE(instance);
    return *instance;
}

Multipliers ranged(Instance const& instance) {
    MultiplierOptions options;
    options.dual_range = true;
    auto found = compute_multipliers(instance, options);
    EXPECT_TRUE(found) << found.error().message;
    return *std::move(found);
}

/// Some optimal dual: maximises random weights on the prices over min c'x's dual, whose objective is held at its
/// optimum. Prices are kept below a large number, where nothing else limits them.
std::vector<double> another_dual(LinearProgram const& program, double optimum, Rng& rng) {
    constexpr double large = 1e3;
    double const sign = program.sense() == Sense::minimise ? 1 : -1;
    LinearProgram dual(Sense::maximise, 0);
    std::vector<std::vector<Term>> columns(program.columns()); // of the primal: A'y + r = c
    std::vector<Term> objective;
    std::vector<std::pair<std::size_t, std::size_t>> price(program.rows(), {0, 0}); // of lower and upper side
    for (std::size_t i = 0; i < program.rows(); ++i) {
        double const weight = rng.uniform(-1, 1);
        Bounds const bounds = program.row_bounds(i);
        auto const side = [&](double limit, double direction) {
            bool const there = std::isfinite(limit);
            std::size_t const column = dual.add_column(between(0, there ? large : 0), direction * weight);
            if (!there) return column;
            if (limit != 0) objective.push_back({column, direction * limit});
            for (Term const& term : program.terms(i)) {
                columns[term.column].push_back({column, direction * term.coefficient});
            }
            return column;
        };
        price[i] = {side(bounds.lower, 1), side(bounds.upper, -1)};
    }
    for (std::size_t j = 0; j < program.columns(); ++j) {
        Bounds const bounds = program.column_bounds(j);
        for (auto const& [limit, direction] : {std::pair(bounds.lower, 1.0), std::pair(bounds.upper, -1.0)}) {
            if (!std::isfinite(limit)) continue;
            std::size_t const column = dual.add_column(at_least(0));
            columns[j].push_back({column, direction});
            if (limit != 0) objective.push_back({column, direction * limit});
        }
        dual.add_row(exactly(sign * program.objective(j)), no_family, columns[j]);
    }
    dual.add_row(at_least(sign * optimum - 1e-8 * (1 + std::abs(optimum))), no_family, objective);
    auto const solution = clp_solver().solve(dual);
    EXPECT_TRUE(solution && solution->status == LpStatus::optimal);
    std::vector<double> prices;
    for (auto const& [lower, upper] : price) prices.push_back(solution->primal[lower] - solution->primal[upper]);
    return prices;
}

std::vector<double> means(LinearProgram const& program, std::vector<double> const& prices) {
    std::vector<double> result = family_sums(program, prices);
    for (std::size_t k = 0; k < result.size(); ++k) result[k] /= static_cast<double>(program.rows_of(k));
    return result;
}

std::size_t top_of(std::vector<double> const& lambda, std::vector<double> const& masses) {
    std::size_t top = 0;
    for (std::size_t k = 1; k < lambda.size(); ++k) {
        if (lambda[k] * masses[k] > lambda[top] * masses[top]) top = k;
    }
    return top;
}

TEST(OtherDuals, StayInsideTheRangesOfTheirProgram) {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        InstancePtr const instance = tour_problem("7", seed);
        Multipliers const found = ranged(*instance);
        LinearProgram const program = *relaxation_of(*instance);
        LinearProgram const reduced = without_redundancy(program);
        Rng rng(seed);
        for (int trial = 0; trial < 6; ++trial) {
            auto const every = means(program, another_dual(program, found.lp->objective, rng));
            auto const needed = means(program, another_dual(reduced, found.lp->objective, rng));
            for (std::size_t k = 0; k < every.size(); ++k) {
                MultiplierRange const& wide = found.range->with_redundant_rows.families[k];
                MultiplierRange const& narrow = found.range->without_redundant_rows.families[k];
                EXPECT_GE(every[k], wide.low - 1e-5);
                EXPECT_LE(every[k], wide.high_bound + 1e-5);
                EXPECT_GE(needed[k], narrow.low - 1e-5);
                EXPECT_LE(needed[k], narrow.high_bound + 1e-5);
            }
        }
    }
}

/// A multiplier stands beside a range, and is inside: each program has its own.
TEST(OtherDuals, NoMultiplierStandsBesideARangeThatItIsNotIn) {
    std::size_t outside = 0;
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        Multipliers const found = ranged(*tour_problem("10", seed));
        for (std::size_t k = 0; k < found.families.size(); ++k) {
            EXPECT_EQ(found.range->with_redundant_rows.values[k], *found.families[k].value);
            for (ProgramRange const* range :
                 {&found.range->with_redundant_rows, &found.range->without_redundant_rows}) {
                EXPECT_GE(range->values[k], range->families[k].low);
                EXPECT_LE(range->values[k], range->families[k].high);
                EXPECT_LE(range->families[k].high, range->families[k].high_bound);
            }
            MultiplierRange const& narrow = found.range->without_redundant_rows.families[k];
            bool const inside =
                *found.families[k].value >= narrow.low - 1e-9 && *found.families[k].value <= narrow.high + 1e-9;
            outside += inside ? 0 : 1;
        }
    }
    EXPECT_GT(outside, 0U) << "the two programs are one after all";
}

TEST(OtherDuals, AgreeWithTheFamilyThatIsSaidToBeFirstForAllOfThem) {
    std::size_t claims = 0;
    std::size_t other_than_the_vertex = 0;
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        InstancePtr const instance = tour_problem("7", seed);
        Multipliers const multipliers = ranged(*instance);
        LinearProgram const reduced = without_redundancy(*relaxation_of(*instance));
        Rng rng(seed);
        std::vector<std::vector<double>> duals;
        for (int trial = 0; trial < 6; ++trial) {
            duals.push_back(means(reduced, another_dual(reduced, multipliers.lp->objective, rng)));
        }
        for (int trial = 0; trial < 40; ++trial) {
            DecisionAttribution decision;
            for (std::size_t k = 0; k < 3; ++k) decision.mass.push_back(std::exp(rng.uniform(-4, 4)));
            decision.nodes.assign(3, {0});
            ScoredAttribution const found = scored(decision, multipliers);
            EXPECT_EQ(found.always_first.has_value(), found.top_unique == TopFamily::unique);
            if (!found.always_first) continue;
            ++claims;
            other_than_the_vertex += *found.always_first != *found.scores.top ? 1 : 0;
            for (auto const& lambda : duals) EXPECT_EQ(top_of(lambda, decision.mass), *found.always_first);
        }
    }
    EXPECT_GT(claims, 50U);
    EXPECT_GT(other_than_the_vertex, 0U) << "nothing here tells the vertex's top from the family that dominates";
}

} // namespace
} // namespace cax
