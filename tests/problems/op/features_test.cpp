#include "support.hpp"

namespace cax::op::test {
namespace {

TEST(OpFeatures, StandInTheOrderOfTheProblemAndTheShapesOfTheEnvironment) {
    auto const state = make(three_customers())->reset();
    Features const features = state->features();
    ASSERT_EQ(features.size(), 3);
    EXPECT_EQ(features[0].shape, (Shape{4, 2}));
    EXPECT_EQ(features[0].values, (std::vector<double>{0, 0, 3, 4, 6, 8, 0, 12}));
    EXPECT_EQ(features[1].shape, (Shape{4}));
    EXPECT_EQ(features[1].values, (std::vector<double>{0, 1, 2, 4}));
    EXPECT_EQ(features[2].shape, (Shape{4}));
    EXPECT_EQ(features[2].values, (std::vector<double>{25 - 1e-6F, 20 - 1e-6F, 15 - 1e-6F, 13 - 1e-6F}));
}

TEST(OpFeatures, ShowThePolicyRowsOfCustomersAndTheLengthLeft) {
    auto const state = make(three_customers())->reset();
    state->step(1);
    auto const seen = std::get<GraphObservation>(state->observe());
    EXPECT_EQ(seen.depot, (std::vector<double>{0, 0}));
    ASSERT_EQ(seen.customers.rows(), 3);
    std::vector<double> const row(seen.customers.row(2).begin(), seen.customers.row(2).end());
    EXPECT_EQ(row, (std::vector<double>{0, 12, 4}));
    EXPECT_EQ(seen.context, (std::vector<double>{double{25 - 1e-6F} - 5}));
    EXPECT_EQ(seen.current_node, 1);
    EXPECT_EQ(seen.mask, (ActionMask{1, 0, 1, 0}));
}

TEST(OpFeatures, LeaveTheRestOfTheStateAsItIsWhenTheyChange) {
    auto const state = make(three_customers())->reset();
    state->step(1);
    Features features = state->features();
    features[1].values[2] = 9;
    features[2].values[0] = 7;
    features[2].values[3] = 1000;
    auto const seen = std::get<GraphObservation>(state->observe(features));
    EXPECT_EQ(seen.customers(1, 2), 9);
    EXPECT_EQ(seen.context, (std::vector<double>{2}));
    EXPECT_EQ(seen.mask, (ActionMask{1, 0, 1, 0}));
}

TEST(OpFeatures, GiveOnlyTheDepotsLimitAGradient) {
    auto const state = make(three_customers())->reset();
    auto gradient = std::get<GraphObservation>(state->observe());
    for (double& g : gradient.customers.values()) g = 1;
    gradient.context = {7};
    Features const pulled = state->pull_back(gradient);
    EXPECT_EQ(pulled[1].values, (std::vector<double>{0, 1, 1, 1}));
    EXPECT_EQ(pulled[2].values, (std::vector<double>{7, 0, 0, 0}));
}

} // namespace
} // namespace cax::op::test
