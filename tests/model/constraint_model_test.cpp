#include "cax/model/constraint_model.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

using Values = std::vector<std::int64_t>;

/// A model of n variables 0..9 with one rule.
ConstraintModel one_rule(std::size_t variables, ConstraintRule rule) {
    ConstraintModel model;
    for (std::size_t v = 0; v < variables; ++v) model.add_variable(0, 9, "x");
    model.add(std::move(rule), 0, "the rule");
    return model;
}

bool keeps(ConstraintRule rule, Values const& values) {
    ConstraintModel const model = one_rule(values.size(), std::move(rule));
    return violated(model, values).empty();
}

TEST(ConstraintModel, LinearRulesBoundASumFromBothSides) {
    LinearRule const rule{{{0, 2}, {1, -1}}, 3, 5};
    EXPECT_TRUE(keeps(rule, {2, 1}));
    EXPECT_TRUE(keeps(rule, {3, 1}));
    EXPECT_FALSE(keeps(rule, {2, 2}));
    EXPECT_FALSE(keeps(rule, {4, 2}));
}

TEST(ConstraintModel, ConditionalRulesHoldWhereTheirFlagIsDown) {
    LinearRule const rule{{{0, 1}}, 5, 9, 1};
    EXPECT_TRUE(keeps(rule, {0, 0}));
    EXPECT_FALSE(keeps(rule, {0, 1}));
    EXPECT_TRUE(keeps(rule, {5, 1}));
}

TEST(ConstraintModel, ARuleWithoutTermsIsTrueOrFalseOnItsOwn) {
    EXPECT_TRUE(keeps(LinearRule{{}, 0, 0}, {}));
    EXPECT_FALSE(keeps(LinearRule{{}, 1}, {}));
}

TEST(ConstraintModel, ValuesIndicatorsAndElementsMeanWhatTheySay) {
    EXPECT_TRUE(keeps(AllowedValues{0, {1, 4}}, {4}));
    EXPECT_FALSE(keeps(AllowedValues{0, {1, 4}}, {2}));
    EXPECT_TRUE(keeps(Indicator{0, 1, 7}, {1, 7}));
    EXPECT_TRUE(keeps(Indicator{0, 1, 7}, {0, 6}));
    EXPECT_FALSE(keeps(Indicator{0, 1, 7}, {0, 7}));
    EXPECT_TRUE(keeps(TableElement{0, {3, 5}, 1}, {1, 5}));
    EXPECT_FALSE(keeps(TableElement{0, {3, 5}, 1}, {0, 5}));
    EXPECT_FALSE(keeps(TableElement{0, {3, 5}, 1}, {2, 5})); // beyond the table
    EXPECT_TRUE(keeps(VariableElement{0, {1, 2}, 3}, {1, 8, 6, 6}));
    EXPECT_FALSE(keeps(VariableElement{0, {1, 2}, 3}, {0, 8, 6, 6}));
}

TEST(ConstraintModel, ACircuitIsOneTourWithItsInverse) {
    Circuit const rule{{0, 1, 2}, {3, 4, 5}};
    EXPECT_TRUE(keeps(rule, {1, 2, 0, 2, 0, 1}));
    EXPECT_FALSE(keeps(rule, {1, 2, 0, 1, 2, 0})); // predecessors of the opposite tour
    EXPECT_FALSE(keeps(rule, {0, 2, 1, 0, 2, 1})); // two tours
    EXPECT_FALSE(keeps(rule, {1, 9, 0, 2, 0, 1})); // leaves the map
}

TEST(ConstraintModel, BinsAddUpAndTasksDoNotOverlap) {
    BinPacking const packing{{0, 1}, {3, 4}, {2, 3}};
    EXPECT_TRUE(keeps(packing, {0, 1, 3, 4}));
    EXPECT_TRUE(keeps(packing, {1, 1, 0, 7}));
    EXPECT_FALSE(keeps(packing, {1, 1, 3, 4}));
    EXPECT_FALSE(keeps(packing, {2, 1, 3, 4})); // no such bin
    NoOverlap const machine{{{0, 3}, {1, 2, 2}}};
    EXPECT_TRUE(keeps(machine, {0, 3, 1}));
    EXPECT_FALSE(keeps(machine, {0, 2, 1}));
    EXPECT_TRUE(keeps(machine, {0, 2, 0}));                  // the second task is absent
    EXPECT_TRUE(keeps(NoOverlap{{{0, 3}, {1, 0}}}, {0, 1})); // takes no time
}

TEST(ConstraintModel, KnowsItsBounds) {
    ConstraintModel model;
    model.add_variable(2, 4, "x");
    EXPECT_TRUE(within_bounds(model, Values{3}));
    EXPECT_FALSE(within_bounds(model, Values{5}));
    EXPECT_FALSE(within_bounds(model, Values{1}));
}

TEST(ConstraintModel, WithoutAFamilyWhatFollowedFromItGoesToo) {
    ConstraintModel model;
    model.add_variable(0, 9, "x");
    model.add(LinearRule{{{0, 1}}, 5}, 0, "at least five");
    model.add(LinearRule{{{0, 1}}, 0, 3}, 1, "at most three");
    model.add_implied(LinearRule{{}, 1}, "impossible");
    EXPECT_EQ(violated(model, Values{2}), (std::vector<std::size_t>{0, 2}));
    ConstraintModel const rest = without_family(model, 0);
    EXPECT_TRUE(violated(rest, Values{2}).empty());
    EXPECT_FALSE(violated(rest, Values{5}).empty());
}

TEST(ConstraintModel, RefusesWhatNoSolverShouldSee) {
    auto const message = [](ConstraintModel const& model) {
        auto const valid = validate(model);
        return valid ? std::string() : valid.error().message;
    };
    EXPECT_EQ(message(one_rule(2, LinearRule{{{0, 1}, {1, 1}}, 0, 5})), "");
    EXPECT_EQ(message(one_rule(1, LinearRule{{{3, 1}}})),
              "constraint 0 (the rule): there is no variable 3 (there are 1)");
    EXPECT_NE(message(one_rule(1, LinearRule{{{0, std::int64_t{1} << 40}}})).find("is larger than"), std::string::npos);
    EXPECT_NE(message(one_rule(2, LinearRule{{{0, 1}}, 0, 1, 1})).find("is no flag"), std::string::npos);
    EXPECT_NE(message(one_rule(2, Circuit{{0, 1}, {0}})).find("lists of 2 and 1"), std::string::npos);
    EXPECT_NE(message(one_rule(2, BinPacking{{0}, {-1}, {1}})).find("size -1 is negative"), std::string::npos);
    EXPECT_NE(message(one_rule(1, TableElement{0, {}, 0})).find("table is empty"), std::string::npos);
    EXPECT_NE(message(one_rule(1, NoOverlap{{{0, -2}}})).find("duration is -2"), std::string::npos);
    ConstraintModel empty_range;
    empty_range.add_variable(3, 2, "x");
    EXPECT_EQ(message(empty_range), "variable 0 (x): bounds 3..2");
    ConstraintModel hint;
    hint.add_variable(0, 3, "x");
    hint.branchings.push_back({{0}, Branching::Pick::in_order, {{1, 2}}});
    EXPECT_EQ(message(hint), "branching 0: lists of 4 and 2 entries belong together");
}

} // namespace
} // namespace cax
