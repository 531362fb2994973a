#include "optimiser.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax::train {
namespace {

TEST(Optimiser, FirstStepHasTheLengthOfTheLearningRate) {
    Optimiser adam({.scales = {1, 1}});
    std::vector<float> parameters{1.0F, 1.0F}, gradient{0.001F, -50.0F};
    adam.step(parameters, gradient, 0.1);
    EXPECT_NEAR(parameters[0], 0.9, 1e-4);
    EXPECT_NEAR(parameters[1], 1.1, 1e-4);
}

TEST(Optimiser, FindsTheMinimumOfAParabola) {
    Optimiser adam({.scales = {1}});
    std::vector<float> parameters{5.0F};
    for (int i = 0; i < 2000; ++i) {
        std::vector<float> gradient{2 * (parameters[0] - 3)};
        adam.step(parameters, gradient, 0.02);
    }
    EXPECT_NEAR(parameters[0], 3.0, 1e-3);
}

TEST(Optimiser, LeavesBuffersAlone) {
    Optimiser adam({.scales = {0, 1}});
    std::vector<float> parameters{1.0F, 1.0F}, gradient{1.0F, 1.0F};
    adam.step(parameters, gradient, 0.1);
    EXPECT_EQ(parameters[0], 1.0F);
    EXPECT_LT(parameters[1], 1.0F);
}

TEST(Optimiser, TreatsAScaledInputAsIfItWereNot) {
    // loss(w x) with x = 400 and w at scale 1/400 moves like loss(v) with v = 400 w.
    Optimiser plain({.scales = {1}}), scaled({.scales = {1.0F / 400}});
    std::vector<float> v{2.0F}, w{2.0F / 400};
    for (int i = 0; i < 50; ++i) {
        std::vector<float> slope{2 * (v[0] - 1)};
        plain.step(v, slope, 0.01);
        std::vector<float> steep{2 * (400 * w[0] - 1) * 400};
        scaled.rescale(steep);
        scaled.step(w, steep, 0.01);
    }
    EXPECT_NEAR(400 * w[0], v[0], 1e-4);
    EXPECT_LT(v[0], 1.9F);
}

/// A vector of 3 numbers, a 2 x 2 matrix and 1 number, as one flat vector.
StepPlan mixed() { return {.scales = std::vector<float>(8, 1.0F), .matrices = {{.offset = 3, .rows = 2, .cols = 2}}}; }

TEST(Optimiser, MovesAllDirectionsOfAMatrixAlike) {
    Optimiser optimiser(mixed());
    std::vector<float> parameters(8), gradient{0, 0, 0, 100, 0, 0, 0.1F, 0};
    optimiser.step(parameters, gradient, 0.01);
    EXPECT_LT(parameters[3], 0);
    EXPECT_LT(parameters[6], 0);
    EXPECT_LT(parameters[3] / parameters[6], 2) << "a thousand times the slope, hardly more of a step";
    EXPECT_NEAR(parameters[4], 0, 1e-6);
    EXPECT_NEAR(parameters[3] / (-0.2 * 0.01 * std::sqrt(2)), 1, 0.35);
}

TEST(Optimiser, MovesWhatIsBesideAMatrixAsIfItWereAlone) {
    Optimiser both(mixed()), alone({.scales = {1, 1, 1, 1}});
    std::vector<float> parameters(8, 1.0F), rest(4, 1.0F);
    for (int i = 0; i < 5; ++i) {
        float const slope = 1.0F + static_cast<float>(i);
        std::vector<float> gradient{slope, -slope, 0.5F, 1, 2, 3, 4, -slope}, part{slope, -slope, 0.5F, -slope};
        both.step(parameters, gradient, 0.01);
        alone.step(rest, part, 0.01);
    }
    EXPECT_EQ((std::vector<float>{parameters[0], parameters[1], parameters[2], parameters[7]}), rest);
    for (std::size_t i = 3; i < 7; ++i) EXPECT_EQ(both.second_moment()[i], 0) << "matrices have one moment";
}

TEST(Optimiser, FindsTheMatrixThatUndoesAnother) {
    // |A X - I|^2 with singular values 3 and 0.1 of A: plain descent needs hundreds of times more steps for the second.
    Optimiser optimiser({.scales = std::vector<float>(4, 1.0F), .matrices = {{.offset = 0, .rows = 2, .cols = 2}}});
    std::vector<float> x(4);
    for (int i = 0; i < 4000; ++i) {
        double const rate = 0.1 * (1 - i / 4000.0);
        std::vector<float> gradient{3 * (3 * x[0] - 1), 3 * 3 * x[1], 0.1F * 0.1F * x[2], 0.1F * (0.1F * x[3] - 1)};
        optimiser.step(x, gradient, rate);
    }
    EXPECT_NEAR(x[0], 1.0 / 3, 0.02);
    EXPECT_NEAR(x[3], 10, 0.2);
}

TEST(ClipNorm, ShortensOnlyWhatIsTooLong) {
    std::vector<float> gradient{3.0F, 4.0F};
    EXPECT_DOUBLE_EQ(clip_norm(gradient, 10), 5);
    EXPECT_EQ(gradient[1], 4.0F);
    EXPECT_DOUBLE_EQ(clip_norm(gradient, 1), 5);
    EXPECT_NEAR(std::hypot(gradient[0], gradient[1]), 1, 1e-6);
}

} // namespace
} // namespace cax::train
