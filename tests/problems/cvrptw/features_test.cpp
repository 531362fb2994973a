#include "support.hpp"

#include <numeric>

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

double dot(std::span<double const> a, std::span<double const> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST(CvrptwFeatures, PullGradientsBackByTheTransposeOfObserving) {
    Rng rng(3);
    auto const state = generated(12, 4)->reset();
    state->step(3);
    Features const base = state->features();
    auto const origin = std::get<GraphObservation>(state->observe(base));
    for (int trial = 0; trial < 20; ++trial) {
        Features change = base;
        for (std::size_t k = 0; k < base.size(); ++k) {
            for (double& value : change[k].values) value += rng.normal();
        }
        auto const moved = std::get<GraphObservation>(state->observe(change));
        GraphObservation gradient = origin;
        for (double& g : gradient.depot) g = rng.normal();
        for (double& g : gradient.customers.values()) g = rng.normal();
        for (double& g : gradient.context) g = rng.normal();
        auto const difference = [&](auto const& a, auto const& b, auto const& g) { return dot(a, g) - dot(b, g); };
        double const outside =
            difference(moved.depot, origin.depot, gradient.depot) +
            difference(moved.customers.values(), origin.customers.values(), gradient.customers.values()) +
            difference(moved.context, origin.context, gradient.context);
        Features const pulled = state->pull_back(gradient);
        double inside = 0;
        for (std::size_t k = 0; k < base.size(); ++k) {
            ASSERT_EQ(pulled[k].shape, base[k].shape);
            inside += difference(change[k].values, base[k].values, pulled[k].values);
        }
        EXPECT_NEAR(inside, outside, 1e-8);
    }
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
