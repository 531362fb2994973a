// Looks against every sequence of trials there is, and against drawn ones.
#include "cax/explain/looks.hpp"

#include "cax/core/rng.hpp"
#include "cax/explain/bounds.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>

namespace cax {
namespace {

/// The definition: trial by trial, accepted at looks[f] with f failures.
std::optional<std::size_t> accepted_with(LookPlan const& plan, std::uint32_t failures_as_bits, std::size_t trials) {
    std::size_t failures = 0;
    for (std::size_t n = 1; n <= trials; ++n) {
        failures += (failures_as_bits >> (n - 1)) & 1U;
        if (plan.accepts(failures, n)) return failures;
    }
    return std::nullopt;
}

double chance_by_all_sequences(LookPlan const& plan, double p, std::size_t trials, std::size_t most_failures) {
    double sum = 0;
    for (std::uint32_t bits = 0; bits < (1U << trials); ++bits) {
        auto const failures = accepted_with(plan, bits, trials);
        if (!failures || *failures > most_failures) continue;
        int const lost = std::popcount(bits);
        sum += std::pow(1 - p, lost) * std::pow(p, static_cast<int>(trials) - lost);
    }
    return sum;
}

TEST(Looks, SpendNoMoreThanAlphaOverAllOfThem) {
    for (double const target : {0.5, 0.6}) {
        for (double const alpha : {0.3, 0.1, 0.02}) {
            LookPlan const plan(target, alpha, 18);
            ASSERT_FALSE(plan.looks().empty());
            std::size_t const last = plan.looks().size() - 1;
            for (double const p : {0.2, target - 0.05, target}) {
                EXPECT_LE(chance_by_all_sequences(plan, p, 18, last), alpha) << target << " " << alpha << " " << p;
            }
            for (std::size_t f = 0; f <= last; ++f) {
                for (double const p : {0.3, target, 0.9}) {
                    EXPECT_NEAR(plan.acceptance(p, f), chance_by_all_sequences(plan, p, 18, f), 1e-10);
                }
            }
        }
    }
}

TEST(Looks, AcceptMoreReadilyWhenAFailureBecomesASuccess) {
    LookPlan const plan(0.5, 0.3, 14);
    for (std::uint32_t bits = 0; bits < (1U << 14U); ++bits) {
        if (!accepted_with(plan, bits, 14)) continue;
        for (std::uint32_t i = 0; i < 14; ++i) EXPECT_TRUE(accepted_with(plan, bits & ~(1U << i), 14));
    }
}

TEST(Looks, ComeEarlierThanASampleOfFixedSizeWhenNothingFails) {
    LookPlan const plan(0.8, 0.1, 70);
    EXPECT_EQ(plan.looks().front(), 13U); // 0.8^13 = 0.055 <= 2/3 of 0.1 < 0.8^12
    for (std::size_t f = 1; f < plan.looks().size(); ++f) EXPECT_GT(plan.looks()[f], plan.looks()[f - 1]);
    EXPECT_TRUE(LookPlan(0.8, 0.1, 12).looks().empty());
}

TEST(Looks, GiveBoundsThatAreNeverBelowTheTargetAndFallWithEveryFailure) {
    LookPlan const plan(0.8, 0.05, 70);
    double before = 1;
    for (std::size_t f = 0; f < plan.looks().size(); ++f) {
        double const bound = plan.lower_bound(f);
        EXPECT_GE(bound, 0.8);
        EXPECT_LT(bound, before);
        EXPECT_NEAR(plan.acceptance(bound, f), 0.05, 1e-9);
        EXPECT_LE(bound, clopper_pearson_lower(plan.looks()[f] - f, plan.looks()[f], 0.05) + 1e-12);
        before = bound;
    }
}

TEST(Looks, GiveBoundsThatHoldForEveryProbability) {
    constexpr double alpha = 0.1;
    LookPlan const plan(0.6, alpha, 16);
    for (double p = 0.55; p < 1; p += 0.03) {
        double above = 0; // the chance to be accepted with a bound above p
        for (std::uint32_t bits = 0; bits < (1U << 16U); ++bits) {
            auto const failures = accepted_with(plan, bits, 16);
            if (!failures || plan.lower_bound(*failures) <= p) continue;
            int const lost = std::popcount(bits);
            above += std::pow(1 - p, lost) * std::pow(p, 16 - lost);
        }
        EXPECT_LE(above, alpha) << p;
    }
}

} // namespace
} // namespace cax
