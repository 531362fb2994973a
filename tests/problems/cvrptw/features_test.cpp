#include "support.hpp"

namespace cax::cvrptw::test {
namespace {

TEST(CvrptwFeatures, StandInTheOrderOfTheProblemAndTheShapesOfTheEnvironment) {
    auto const state = make(three_customers())->reset();
    Features const features = state->features();
    ASSERT_EQ(features.size(), 4);
    EXPECT_EQ(features[0].shape, (Shape{4, 2}));
    EXPECT_EQ(features[0].values, (std::vector<double>{0, 0, 3, 4, 6, 8, 0, 10}));
    EXPECT_EQ(features[1].shape, (Shape{3}));
    EXPECT_EQ(features[1].values, (std::vector<double>{0.3F, 0.4F, 0.5F}));
    EXPECT_EQ(features[2].shape, (Shape{4, 2}));
    EXPECT_EQ(features[2].values, (std::vector<double>{0, 100, 8, 20, 0, 30, 40, 60}));
    EXPECT_EQ(features[3].shape, (Shape{4}));
    EXPECT_EQ(features[3].values, (std::vector<double>{0, 2, 3, 4}));
}

TEST(CvrptwFeatures, ShowThePolicyRowsOfCustomersAndTheVehicle) {
    auto const state = make(three_customers())->reset();
    state->step(1);
    auto const seen = std::get<GraphObservation>(state->observe());
    EXPECT_EQ(seen.depot, (std::vector<double>{0, 0}));
    ASSERT_EQ(seen.customers.rows(), 3);
    std::vector<double> const row(seen.customers.row(2).begin(), seen.customers.row(2).end());
    EXPECT_EQ(row, (std::vector<double>{0, 10, 0.5F, 40, 60, 4}));
    EXPECT_EQ(seen.context, (std::vector<double>{1.0 - double{0.3F}, 10}));
    EXPECT_EQ(seen.current_node, 1);
    EXPECT_EQ(seen.mask, (ActionMask{1, 0, 1, 1}));
}

TEST(CvrptwFeatures, LeaveTheRestOfTheStateAsItIsWhenTheyChange) {
    auto const state = make(three_customers())->reset();
    state->step(1);
    Features features = state->features();
    features[1].values[1] = 5;
    features[2].values[5] = -3;
    auto const seen = std::get<GraphObservation>(state->observe(features));
    EXPECT_EQ(seen.customers(1, 2), 5);
    EXPECT_EQ(seen.customers(1, 4), -3);
    auto const before = std::get<GraphObservation>(state->observe());
    EXPECT_EQ(seen.context, before.context);
    EXPECT_EQ(seen.mask, before.mask);
}

TEST(CvrptwFeatures, GiveTheDepotsWindowAndServiceNoGradient) {
    auto const state = make(three_customers())->reset();
    auto gradient = std::get<GraphObservation>(state->observe());
    for (double& g : gradient.customers.values()) g = 1;
    Features const pulled = state->pull_back(gradient);
    EXPECT_EQ(pulled[2].values, (std::vector<double>{0, 0, 1, 1, 1, 1, 1, 1}));
    EXPECT_EQ(pulled[3].values, (std::vector<double>{0, 1, 1, 1}));
}

} // namespace
} // namespace cax::cvrptw::test
