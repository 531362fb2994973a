#include "multipliers/ascent.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

/// cost(lambda) and violation(lambda) of one family, written down.
class Written final : public LagrangianRelaxation {
public:
    using Function = double (*)(double lambda);
    Written(AscentSettings settings, Function cost, Function violation)
        : settings_(std::move(settings)), cost_(cost), violation_(violation) {
        settings_.dualised = {1, 0};
    }
    [[nodiscard]] AscentSettings const& settings() const override { return settings_; }
    [[nodiscard]] RelaxedSolution solve(std::span<double const> lambda) const override {
        asked.push_back(lambda[0]);
        return {cost_(lambda[0]), {violation_(lambda[0]), 0}};
    }
    mutable std::vector<double> asked;

private:
    AscentSettings settings_;
    Function cost_;
    Function violation_;
};

AscentSettings settings(double step, std::size_t iterations, std::optional<double> upper_bound = {}) {
    return {.step = step, .iterations = iterations, .upper_bound = upper_bound, .published_sign = 1, .dualised = {}};
}

TEST(Ascent, TakesHarmonicStepsWhereNoUpperBoundIsKnown) {
    Written const relaxation(
        settings(2, 4), [](double) { return 10.0; }, [](double) { return 3.0; });
    (void)ascend(relaxation, 1);
    EXPECT_EQ(relaxation.asked, (std::vector<double>{0, 6, 9, 11})); // + 2/1 * 3, + 2/2 * 3, + 2/3 * 3
}

TEST(Ascent, SaysWhetherItWasCutOff) {
    Written const satisfied(
        settings(2, 4), [](double) { return 10.0; }, [](double) { return 0.0; });
    AscentResult const done = ascend(satisfied, 1);
    EXPECT_TRUE(done.converged);
    EXPECT_EQ(done.iterations, 1U);
    Written const violated(
        settings(2, 4), [](double) { return 10.0; }, [](double) { return 3.0; });
    EXPECT_FALSE(ascend(violated, 1).converged);
}

TEST(Ascent, TakesPolyakStepsTowardsAKnownUpperBound) {
    Written const relaxation(
        settings(1, 2, 20.0), [](double) { return 10.0; }, [](double) { return 5.0; });
    (void)ascend(relaxation, 1);
    EXPECT_EQ(relaxation.asked, (std::vector<double>{0, 2})); // (20 - 10) / 25 * 5
}

TEST(Ascent, KeepsTheMultiplierOfTheBestValue) {
    // cost + lambda g rises with lambda, cost - lambda g falls.
    Written const relaxation(
        settings(2, 4), [](double) { return 10.0; }, [](double) { return 3.0; });
    AscentResult const right = ascend(relaxation, 1);
    EXPECT_EQ(right.lambda, (std::vector<double>{11, 0}));
    EXPECT_EQ(right.best_value, 10 + 33);
    EXPECT_EQ(right.best_iteration + 1, right.iterations);
    AscentResult const wrong = ascend(relaxation, -1);
    EXPECT_EQ(wrong.lambda, (std::vector<double>{0, 0}));
    EXPECT_EQ(wrong.best_value, 10);
}

TEST(Ascent, StopsWhereNothingIsViolated) {
    Written const relaxation(
        settings(1, 40), [](double) { return 1.0; }, [](double lambda) { return lambda > 1.4 ? 0.0 : 1.0; });
    AscentResult const result = ascend(relaxation, 1);
    EXPECT_EQ(result.iterations, 3u); // lambda 0, 1, 1.5
}

TEST(Ascent, NeverMakesAMultiplierNegative) {
    Written const relaxation(
        settings(1, 3), [](double) { return 1.0; }, [](double) { return -1.0; });
    (void)ascend(relaxation, 1);
    EXPECT_EQ(relaxation.asked, (std::vector<double>{0, 0, 0}));
}

TEST(Ascent, HalvesItsStepsAfterTenStalls) {
    // Polyak steps of alpha * 1 from a value that never improves: the first halving takes effect after 10 stalls.
    Written const relaxation(
        settings(1, 14, 1.0), [](double lambda) { return -lambda; }, [](double) { return 1.0; });
    (void)ascend(relaxation, 1); // value = 0 throughout, step = alpha
    std::vector<double> steps;
    for (std::size_t k = 1; k < relaxation.asked.size(); ++k) {
        steps.push_back(relaxation.asked[k] - relaxation.asked[k - 1]);
    }
    for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(steps[k], 1) << k;
    for (std::size_t k = 10; k < steps.size(); ++k) EXPECT_EQ(steps[k], 0.5) << k;
}

} // namespace
} // namespace cax
