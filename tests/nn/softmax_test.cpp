#include "cax/nn/blocks.hpp"
#include "matrices.hpp"

#include <rapidcheck/gtest.h>

namespace cax::nn {
namespace {

using namespace test;

template <class R> void check_softmax(std::size_t n, std::uint64_t seed) {
    Rng rng(seed);
    auto values = Grid<R>::random(1, n, rng, 1);
    for (std::size_t i = 0; i < n; ++i) {
        values(0, i) *= R{30};
        if (i > 0 && rng.uniform() < 0.2) values(0, i) = -std::numeric_limits<R>::infinity();
    }
    Grid<double> expected(1, n);
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t i = 0; i < n; ++i) top = std::max(top, static_cast<double>(values(0, i)));
    for (std::size_t i = 0; i < n; ++i) sum += expected(0, i) = std::exp(static_cast<double>(values(0, i)) - top);
    for (std::size_t i = 0; i < n; ++i) expected(0, i) /= sum;
    Grid<R> p = values;
    softmax(p.values.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
        // Relative, entry by entry; in float, weights below the smallest normal number may be 0.
        double const allowed = expected(0, i) * tolerance<R> + (sizeof(R) == 4 ? 1e-36 : 0);
        RC_ASSERT(std::abs(static_cast<double>(p(0, i)) - expected(0, i)) <= allowed);
        if (std::isinf(values(0, i))) RC_ASSERT(p(0, i) == R{0});
    }
    RC_ASSERT(p.gaps_untouched());
}

RC_GTEST_PROP(Softmax, AgreesWithItsDefinitionInFloat, (std::uint64_t seed)) {
    check_softmax<float>(*rc::gen::inRange<std::size_t>(1, 100), seed);
}
RC_GTEST_PROP(Softmax, AgreesWithItsDefinitionInDouble, (std::uint64_t seed)) {
    check_softmax<double>(*rc::gen::inRange<std::size_t>(1, 100), seed);
}

TEST(Softmax, OfNothingButMinusInfinityIsZero) {
    for (std::size_t n = 1; n < 40; ++n) {
        std::vector<float> values(n, -std::numeric_limits<float>::infinity());
        softmax(values.data(), n);
        EXPECT_EQ(values, std::vector<float>(n, 0.0F));
    }
}

TEST(Softmax, KeepsNotANumberVisible) {
    for (std::size_t const at : {0, 17, 20}) {
        std::vector<float> values(21, 1.0F);
        values[at] = std::numeric_limits<float>::quiet_NaN();
        softmax(values.data(), values.size());
        EXPECT_TRUE(std::isnan(values[at]));
    }
}

TEST(Softmax, ItsGradientAgreesWithCentralDifferences) {
    Rng rng(1);
    for (std::size_t const n : {1, 2, 7, 16, 51}) {
        auto scores = Grid<double>::random(1, n, rng);
        auto const weights = Grid<double>::random(1, n, rng);
        Grid<double> p = scores;
        auto const value = [&] {
            p = scores;
            softmax(p.values.data(), n);
            return weighted_sum(weights, p);
        };
        Grid<double> const expected = numeric_gradient(scores, value);
        value();
        Grid<double> ds = weights;
        softmax_backward(p.values.data(), ds.values.data(), n);
        EXPECT_LE(worst_difference(ds, expected), 1e-8) << n;
    }
}

TEST(Softmax, ItsGradientInFloatAgreesWithDouble) {
    Rng rng(2);
    for (std::size_t const n : {1, 15, 16, 33}) {
        auto p = Grid<float>::random(1, n, rng);
        softmax(p.values.data(), n);
        auto dp = Grid<float>::random(1, n, rng, 1);
        Grid<double> exact_p(1, n), exact_dp(1, n);
        for (std::size_t i = 0; i < n; ++i) exact_p(0, i) = p(0, i), exact_dp(0, i) = dp(0, i);
        softmax_backward(exact_p.values.data(), exact_dp.values.data(), n);
        softmax_backward(p.values.data(), dp.values.data(), n);
        EXPECT_LE(worst_difference(dp, exact_dp), 1e-6);
        EXPECT_TRUE(dp.gaps_untouched());
    }
}

} // namespace
} // namespace cax::nn
