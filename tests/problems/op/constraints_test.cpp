#include "support.hpp"

#include "cax/problems/changes.hpp"
#include "cax/problems/presentation.hpp"

#include <gmock/gmock.h>
#include <limits>

namespace cax::op::test {
namespace {

using testing::HasSubstr;

template <class Change> std::string violation_after(Change change) {
    auto const state = make(three_customers())->reset();
    Features features = state->features();
    change(features);
    return envelope_violation(*state, features).value_or("none");
}

TEST(OpConstraints, AcceptTheInstanceItselfInItsEnvelope) {
    EXPECT_EQ(violation_after([](Features&) {}), "none");
    EXPECT_EQ(violation_after([](Features& f) { f[1].values[0] = -0.01; }), "none");
    EXPECT_EQ(violation_after([](Features& f) { f[2].values[0] = 9.9995; }), "none"); // nearest customer and back: 10
    EXPECT_EQ(violation_after([](Features& f) { f[2].values[3] = -100; }), "none");   // only the depot's entry counts
}

TEST(OpConstraints, NameEachBrokenRuleOfTheEnvelope) {
    EXPECT_EQ(violation_after([](Features& f) { f[1].values[2] = -0.02; }), "node 2: prize is negative (-0.02)");
    EXPECT_EQ(violation_after([](Features& f) { f[1].values[0] = -0.02; }), "node 0: prize is negative (-0.02)");
    EXPECT_EQ(violation_after([](Features& f) { f[2].values[0] = 0; }), "max_length is 0: it must be positive");
    EXPECT_EQ(violation_after([](Features& f) { f[2].values[0] = 9.5; }),
              "max_length (9.5) is shorter than the shortest round trip (10)");
    EXPECT_THAT(violation_after([](Features& f) { f[0].values[3] = std::numeric_limits<double>::infinity(); }),
                HasSubstr("node 1: coordinate is inf"));
    double const nan = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NE(violation_after([&](Features& f) { f[k].values[0] = nan; }), "none") << "tensor " << k;
    }
}

TEST(OpConstraints, MeasureTheTourWithItsWayHome) {
    auto const state = make(three_customers())->reset();
    state->step(1);
    auto const slacks = slacks_of(*state, 2);
    ASSERT_EQ(slacks.size(), 1);
    EXPECT_EQ(slacks[0].family, 1);
    EXPECT_DOUBLE_EQ(slacks[0].used, 20);
    EXPECT_DOUBLE_EQ(slacks[0].limit, 25);
    EXPECT_DOUBLE_EQ(slacks[0].slack, 5);
    EXPECT_LT(slacks_of(*state, 3)[0].slack, 0);
    EXPECT_DOUBLE_EQ(slacks_of(*state, 0)[0].used, 10);
}

} // namespace
} // namespace cax::op::test
