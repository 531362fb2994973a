#include "cax/solvers/dual_range.hpp"

#include "brute_force.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

DualRanges ranges_of(LinearProgram const& program, DualRangeOptions const& options = {}) {
    auto ranges = dual_ranges(clp_solver(), program, options);
    EXPECT_TRUE(ranges) << ranges.error().message;
    return ranges ? *ranges : DualRanges{};
}

/// min x, x >= 1 (family 0), x >= 1 again (family 1): the price 1 is shared out between the two in any way.
LinearProgram shared_price() {
    LinearProgram program(Sense::minimise, 2);
    program.add_column({}, 1);
    program.add_row(at_least(1), 0, std::array{Term{0, 1}});
    program.add_row(at_least(1), 1, std::array{Term{0, 1}});
    return program;
}

TEST(DualRange, SharesAPriceBetweenTwoEqualRows) {
    DualRanges const ranges = ranges_of(shared_price());
    ASSERT_EQ(ranges.status, LpStatus::optimal);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(ranges.families[k].min, 0, 1e-9);
        EXPECT_NEAR(ranges.families[k].max, 1, 1e-9);
        EXPECT_TRUE(ranges.families[k].max_exact);
        EXPECT_NEAR(ranges.families[k].at_min[1 - k], 1, 1e-9);
        EXPECT_NEAR(ranges.families[k].at_max[1 - k], 0, 1e-9);
        EXPECT_NEAR((*ranges.shares)[k].low, 0, 1e-9);
        EXPECT_NEAR((*ranges.shares)[k].high, 1, 1e-9);
    }
    EXPECT_NEAR(ranges.bounds_share.low, 0, 1e-9);
    EXPECT_NEAR(ranges.bounds_share.high, 0, 1e-9);
}

/// min x + y, x = 1 and y = 1 (family 0), x + y = 2 (family 1, redundant): a constant moves freely between them.
LinearProgram with_redundant_row() {
    LinearProgram program(Sense::minimise, 2);
    program.add_column({}, 1);
    program.add_column({}, 1);
    program.add_row(exactly(1), 0, std::array{Term{0, 1}});
    program.add_row(exactly(1), 0, std::array{Term{1, 1}});
    program.add_row(exactly(2), 1, std::array{Term{0, 1}, Term{1, 1}}, true);
    return program;
}

TEST(DualRange, SaysAlongWhichRowTheFaceIsUnbounded) {
    DualRangeOptions options;
    options.redundant = RedundantRows::kept;
    DualRanges const ranges = ranges_of(with_redundant_row(), options);
    for (FamilyRange const& family : ranges.families) {
        EXPECT_TRUE(family.unbounded());
        EXPECT_EQ(family.max, lp_infinity);
        EXPECT_NEAR(family.min, 0, 1e-9);
    }
    EXPECT_EQ(ranges.families[0].unbounded_along, "row 0");
    EXPECT_EQ(ranges.families[1].unbounded_along, "row 2, which other rows imply");
}

TEST(DualRange, IsFiniteOnceRedundantRowsAreDropped) {
    DualRanges const ranges = ranges_of(with_redundant_row());
    EXPECT_EQ(ranges.redundant, RedundantRows::dropped);
    EXPECT_NEAR(ranges.families[0].min, 1, 1e-9);
    EXPECT_NEAR(ranges.families[0].max, 1, 1e-9);
    EXPECT_EQ(ranges.families[1].rows, 1u);
    EXPECT_EQ(ranges.families[1].max, 0);
}

TEST(DualRange, DropsRedundantUpperBounds) {
    LinearProgram program(Sense::minimise, 1); // x = 1 and x <= 1: the row's price may grow at the bound's expense
    program.add_column(between(0, 1), 5, true);
    program.add_row(exactly(1), 0, std::array{Term{0, 1}});
    EXPECT_NEAR(ranges_of(program).families[0].max, 5, 1e-9);
    DualRangeOptions options;
    options.redundant = RedundantRows::kept;
    DualRanges const kept = ranges_of(program, options);
    EXPECT_NEAR(kept.families[0].min, 5, 1e-9);
    EXPECT_TRUE(kept.families[0].unbounded());
}

TEST(DualRange, LeavesOutTheLargestValuesWhenAskedTo) {
    DualRangeOptions options;
    options.only_smallest = true;
    DualRanges const ranges = ranges_of(shared_price(), options);
    EXPECT_NEAR(ranges.families[0].min, 0, 1e-9);
    EXPECT_TRUE(ranges.families[0].at_max.empty());
    EXPECT_FALSE(ranges.shares);
}

TEST(DualRange, PassesOnThatThereIsNoOptimum) {
    LinearProgram program = shared_price();
    program.add_row(at_most(0), 0, std::array{Term{0, 1}});
    DualRanges const ranges = ranges_of(program);
    EXPECT_EQ(ranges.status, LpStatus::infeasible);
    EXPECT_TRUE(ranges.families.empty());
}

TEST(DualRange, HasNoSharesOfABoundThatIsZero) {
    LinearProgram program = shared_price();
    program.set_row_bounds(0, at_least(0));
    program.set_row_bounds(1, at_least(0));
    EXPECT_FALSE(ranges_of(program).shares);
}

TEST(DualRange, HasNothingToSayAboutAFamilyWithoutRows) {
    LinearProgram program(Sense::minimise, 2);
    program.add_column(at_least(1), 1);
    program.add_row(at_least(1), 0, std::array{Term{0, 1}});
    DualRanges const ranges = ranges_of(program);
    EXPECT_EQ(ranges.families[1].rows, 0u);
    EXPECT_EQ(ranges.families[1].max, 0);
}

/// What the brute-force vertices say about one family.
struct Expected {
    double min = lp_infinity;
    double max = 0;
    Interval worth{lp_infinity, -lp_infinity};
};

Expected expected_of(LinearProgram const& program, std::vector<std::vector<double>> const& vertices,
                     std::span<double const> primal, std::size_t family) {
    Expected expected;
    for (auto const& y : vertices) {
        double sum = 0;
        double worth = 0;
        for (std::size_t i = 0; i < y.size(); ++i) {
            if (program.family(i) != family) continue;
            sum += std::abs(y[i]);
            worth += y[i] * row_activity(program, i, primal);
        }
        expected.min = std::min(expected.min, sum);
        expected.max = std::max(expected.max, sum);
        expected.worth = {std::min(expected.worth.low, worth), std::max(expected.worth.high, worth)};
    }
    auto const rows = static_cast<double>(program.rows_of(family));
    if (rows == 0) return {0, 0, {0, 0}};
    expected.min /= rows;
    expected.max /= rows;
    return expected;
}

/// Values beyond this touch the brute-force box and mean "unbounded".
constexpr double huge = test::far_away / 20;

void expect_end(double found, double expected, std::string const& where) {
    if (std::abs(expected) > huge) {
        EXPECT_TRUE(std::isinf(found)) << where << ": " << found << " instead of unbounded";
    } else {
        EXPECT_NEAR(found, expected, 1e-6) << where;
    }
}

void compare_with_vertices(LinearProgram const& program, std::string const& where, int& compared, int& wide) {
    auto const optimum = test::brute_force(program);
    if (!optimum || test::touches_far_away(optimum->primal)) return;
    auto const vertices = test::dual_vertices(program, optimum->primal);
    ASSERT_FALSE(vertices.empty()) << where;
    DualRangeOptions options;
    options.redundant = RedundantRows::kept;
    DualRanges const ranges = ranges_of(program, options);
    ASSERT_EQ(ranges.status, LpStatus::optimal) << where;
    for (std::size_t k = 0; k < program.families(); ++k) {
        Expected const expected = expected_of(program, vertices, optimum->primal, k);
        FamilyRange const& found = ranges.families[k];
        EXPECT_NEAR(found.min, expected.min, 1e-6) << where;
        if (found.max_exact) {
            expect_end(found.max, expected.max, where);
        } else {
            EXPECT_LE(found.max, expected.max + 1e-6) << where;
            EXPECT_GE(found.max_upper_bound, expected.max - 1e-6) << where;
        }
        if (expected.max > expected.min + 1e-6) ++wide;
        ++compared;
        if (!ranges.shares) continue;
        double const z = optimum->objective;
        Interval const share = (*ranges.shares)[k];
        expect_end(share.low * z, z > 0 ? expected.worth.low : expected.worth.high, where);
        expect_end(share.high * z, z > 0 ? expected.worth.high : expected.worth.low, where);
    }
}

TEST(DualRange, AgreesWithAllVerticesOfTheDualFace) {
    Rng rng(2);
    int compared = 0;
    int wide = 0;
    for (int k = 0; k < 800; ++k) {
        compare_with_vertices(test::random_program(rng, 3, 4), "program " + std::to_string(k), compared, wide);
    }
    EXPECT_GT(compared, 300);
    EXPECT_GT(wide, 60);
}

/// Many equality rows on few columns: signs are open in more rows than are tried one by one.
TEST(DualRange, EnclosesTheLargestSumWhereManySignsAreOpen) {
    Rng rng(8);
    int compared = 0;
    int wide = 0;
    for (int k = 0; k < 60; ++k) {
        LinearProgram program(Sense::minimise, 1);
        std::vector<double> point;
        for (std::size_t j = 0; j < 2; ++j) {
            point.push_back(static_cast<double>(rng.below(3)));
            program.add_column({}, static_cast<double>(rng.below(5)) - 2);
        }
        // Boxed columns that are 1 and whose price limits the rows' prices to an interval around 0.
        std::size_t const rows = 5;
        for (std::size_t i = 0; i < rows; ++i) program.add_column(at_least(0), 1 + static_cast<double>(rng.below(3)));
        for (std::size_t i = 0; i < rows; ++i) program.add_column(at_most(0), -1 - static_cast<double>(rng.below(3)));
        for (std::size_t i = 0; i < rows; ++i) {
            double const a = static_cast<double>(rng.below(5)) - 2;
            double const b = static_cast<double>(rng.below(5)) - 2;
            std::vector<Term> terms{{0, a}, {1, b}, {2 + i, 1}, {2 + rows + i, 1}};
            program.add_row(exactly(a * point[0] + b * point[1]), 0, terms);
        }
        auto const solution = clp_solver().solve(program);
        ASSERT_TRUE(solution);
        if (solution->status != LpStatus::optimal) continue;
        auto const vertices = test::dual_vertices(program, solution->primal);
        if (vertices.empty()) continue;
        Expected const expected = expected_of(program, vertices, solution->primal, 0);
        DualRanges const ranges = ranges_of(program);
        FamilyRange const& found = ranges.families[0];
        EXPECT_NEAR(found.min, expected.min, 1e-6);
        EXPECT_LE(found.max, expected.max + 1e-6);
        EXPECT_GE(found.max_upper_bound, expected.max - 1e-6);
        if (found.max_exact) {
            EXPECT_NEAR(found.max, expected.max, 1e-6);
        } else {
            ++wide;
        }
        ++compared;
    }
    EXPECT_GT(compared, 20);
    EXPECT_GT(wide, 2);
}

} // namespace
} // namespace cax
