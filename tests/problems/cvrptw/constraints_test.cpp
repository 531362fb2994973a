#include "support.hpp"

#include "cax/problems/changes.hpp"
#include "cax/problems/presentation.hpp"

#include <gmock/gmock.h>
#include <limits>

namespace cax::cvrptw::test {
namespace {

using testing::HasSubstr;

template <class Change> std::string violation_after(Change change) {
    auto const state = make(three_customers())->reset();
    Features features = state->features();
    change(features);
    return envelope_violation(*state, features).value_or("none");
}

TEST(CvrptwConstraints, AcceptTheInstanceItselfInItsEnvelope) {
    EXPECT_EQ(violation_after([](Features&) {}), "none");
    EXPECT_EQ(violation_after([](Features& f) { f[2].values[2] = f[2].values[3]; }), "none");
    EXPECT_EQ(violation_after([](Features& f) { f[1].values[0] = 0; }), "none");
}

TEST(CvrptwConstraints, NameEachBrokenRuleOfTheEnvelope) {
    EXPECT_EQ(violation_after([](Features& f) { f[1].values[1] = -0.25; }), "customer 2: demand is negative (-0.25)");
    EXPECT_EQ(violation_after([](Features& f) { f[2].values[6] = 61; }),
              "node 3: window closes (60) before it opens (61)");
    EXPECT_EQ(violation_after([](Features& f) { f[3].values[0] = -1; }), "node 0: service time is negative (-1)");
    EXPECT_EQ(violation_after([](Features& f) { f[1].values[1] = 2.5; }),
              "total demand is 3.300000011920929 vehicle loads for 3 customers");
    EXPECT_THAT(violation_after([](Features& f) { f[0].values[3] = std::numeric_limits<double>::infinity(); }),
                HasSubstr("node 1: coordinate is inf"));
    double const nan = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NE(violation_after([&](Features& f) { f[k].values[0] = nan; }), "none") << "tensor " << k;
    }
}

TEST(CvrptwConstraints, MeasureLoadInUnitsAndArrivalByTheClock) {
    auto const state = make(three_customers())->reset();
    state->step(1);
    auto const slacks = slacks_of(*state, 2);
    ASSERT_EQ(slacks.size(), 2);
    EXPECT_EQ(slacks[0].family, 0);
    EXPECT_NEAR(slacks[0].used, 7, 1e-5);
    EXPECT_EQ(slacks[0].limit, 10);
    EXPECT_NEAR(slacks[0].slack, 3, 1e-5);
    EXPECT_EQ(slacks[1].family, 1);
    EXPECT_DOUBLE_EQ(slacks[1].used, 15);
    EXPECT_DOUBLE_EQ(slacks[1].limit, 30);
    EXPECT_DOUBLE_EQ(slacks[1].slack, 15);
    auto const home = slacks_of(*state, 0);
    ASSERT_EQ(home.size(), 1);
    EXPECT_EQ(home[0].family, 1);
    EXPECT_DOUBLE_EQ(home[0].slack, 85);
}

TEST(CvrptwConstraints, ShowABrokenRuleAsANegativeSlack) {
    auto const state = make(three_customers())->reset();
    state->step(1);
    state->step(2);
    EXPECT_NEAR(slacks_of(*state, 3)[0].slack, -2, 1e-5);
}

TEST(CvrptwConstraints, DescribeActionsInWords) {
    auto const state = make(three_customers())->reset();
    EXPECT_EQ(describe_action(*state, 0), "stay at the depot");
    EXPECT_EQ(describe_action(*state, 3), "visit customer 3");
    state->step(3);
    EXPECT_EQ(describe_action(*state, 0), "return to the depot");
}

} // namespace
} // namespace cax::cvrptw::test
