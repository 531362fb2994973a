#include "cax/model/linear_program.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace cax {
namespace {

/// min x + 2 y, x + y >= 3 (family 0), x - y = 1 (no family), 0 <= x <= 5, y >= 0.
LinearProgram two_rows() {
    LinearProgram program(Sense::minimise, 1);
    auto const x = program.add_column(between(0, 5), 1);
    auto const y = program.add_column(at_least(0), 2);
    program.add_row(at_least(3), 0, std::array{Term{x, 1}, Term{y, 1}});
    program.add_row(exactly(1), no_family, std::array{Term{x, 1}, Term{y, -1}}, true);
    return program;
}

TEST(LinearProgram, KeepsWhatWasAdded) {
    LinearProgram const program = two_rows();
    EXPECT_EQ(program.columns(), 2u);
    EXPECT_EQ(program.rows(), 2u);
    EXPECT_EQ(program.entries(), 4u);
    EXPECT_EQ(program.rows_of(0), 1u);
    EXPECT_EQ(program.family(1), no_family);
    EXPECT_FALSE(program.is_redundant(0));
    EXPECT_TRUE(program.is_redundant(1));
    EXPECT_FALSE(program.is_equality(0));
    EXPECT_TRUE(program.is_equality(1));
    EXPECT_EQ(program.terms(1)[1].coefficient, -1);
    EXPECT_TRUE(validate(program));
}

TEST(LinearProgram, ComputesObjectiveActivityAndReducedCosts) {
    LinearProgram const program = two_rows();
    std::array const x{2.0, 1.0};
    EXPECT_DOUBLE_EQ(objective_value(program, x), 4);
    EXPECT_DOUBLE_EQ(row_activity(program, 0, x), 3);
    EXPECT_DOUBLE_EQ(row_activity(program, 1, x), 1);
    // y = (1.5, -0.5) prices both columns exactly.
    EXPECT_EQ(reduced_costs(program, std::array{1.5, -0.5}), (std::vector<double>{0, 0}));
    EXPECT_EQ(reduced_costs(program, std::array{1.0, 0.0}), (std::vector<double>{0, 1}));
}

TEST(LinearProgram, IsValidWhenEmpty) { EXPECT_TRUE(validate(LinearProgram())); }

std::string complaint(LinearProgram const& program) {
    auto const result = validate(program);
    return result ? "" : result.error().message;
}

TEST(LinearProgram, NamesTheColumnWhoseBoundsCross) {
    LinearProgram program = two_rows();
    program.add_column(between(7, 5));
    EXPECT_EQ(complaint(program), "column 2: no number lies between 7 and 5");
}

TEST(LinearProgram, RejectsNumbersThatAreNone) {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    LinearProgram bounds = two_rows();
    bounds.add_column({nan, 1});
    EXPECT_EQ(complaint(bounds), "column 2: no number lies between nan and 1");
    LinearProgram objective = two_rows();
    objective.add_column({}, lp_infinity);
    EXPECT_EQ(complaint(objective), "column 2: objective is inf");
    LinearProgram coefficient = two_rows();
    coefficient.add_row(at_least(0), 0, std::array{Term{1, nan}});
    EXPECT_EQ(complaint(coefficient), "row 2, column 1: coefficient is nan");
    LinearProgram row = two_rows();
    row.add_row(at_least(lp_infinity), 0, std::array{Term{1, 1}});
    EXPECT_EQ(complaint(row), "row 2: no number lies between inf and inf");
}

TEST(LinearProgram, RejectsColumnsAndFamiliesThatDoNotExist) {
    LinearProgram column = two_rows();
    column.add_row(at_least(0), 0, std::array{Term{2, 1}});
    EXPECT_EQ(complaint(column), "row 2: column 2 does not exist");
    LinearProgram family = two_rows();
    family.add_row(at_least(0), 1, std::array{Term{0, 1}});
    EXPECT_EQ(complaint(family), "row 2: family 1 does not exist");
}

TEST(LinearProgram, RejectsAColumnTwiceInOneRow) {
    LinearProgram program = two_rows();
    program.add_row(at_least(0), 0, std::array{Term{0, 1}, Term{1, 1}, Term{0, 1}});
    EXPECT_EQ(complaint(program), "row 2: column 0 occurs twice");
}

} // namespace
} // namespace cax
