#include "adam.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax::train {
namespace {

TEST(Adam, FirstStepHasTheLengthOfTheLearningRate) {
    Adam adam({1, 1});
    std::vector<float> parameters{1.0F, 1.0F};
    adam.step(parameters, std::vector<float>{0.001F, -50.0F}, 0.1);
    EXPECT_NEAR(parameters[0], 0.9, 1e-4);
    EXPECT_NEAR(parameters[1], 1.1, 1e-4);
}

TEST(Adam, FindsTheMinimumOfAParabola) {
    Adam adam({1});
    std::vector<float> parameters{5.0F};
    for (int i = 0; i < 2000; ++i) adam.step(parameters, std::vector<float>{2 * (parameters[0] - 3)}, 0.02);
    EXPECT_NEAR(parameters[0], 3.0, 1e-3);
}

TEST(Adam, LeavesBuffersAlone) {
    Adam adam({0, 1});
    std::vector<float> parameters{1.0F, 1.0F};
    adam.step(parameters, std::vector<float>{1.0F, 1.0F}, 0.1);
    EXPECT_EQ(parameters[0], 1.0F);
    EXPECT_LT(parameters[1], 1.0F);
}

TEST(Adam, TreatsAScaledInputAsIfItWereNot) {
    // loss(w x) with x = 400 and w at scale 1/400 moves like loss(v) with v = 400 w.
    Adam plain({1}), scaled({1.0F / 400});
    std::vector<float> v{2.0F}, w{2.0F / 400};
    for (int i = 0; i < 50; ++i) {
        std::vector<float> const slope{2 * (v[0] - 1)};
        plain.step(v, slope, 0.01);
        std::vector<float> steep{2 * (400 * w[0] - 1) * 400};
        scaled.rescale(steep);
        scaled.step(w, steep, 0.01);
    }
    EXPECT_NEAR(400 * w[0], v[0], 1e-4);
    EXPECT_LT(v[0], 1.9F);
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
