// Every set of kernels that this processor can run, whichever is in use.
#include "kernels.hpp"

#include "cax/nn/gemm.hpp"
#include "matrices.hpp"

#include <cstdlib>
#include <cstring>

namespace cax::nn {
namespace {

using namespace test;

template <class R> KernelTable<R> const& table(KernelSet const& set);
template <> KernelTable<float> const& table<float>(KernelSet const& set) { return set.single; }
template <> KernelTable<double> const& table<double>(KernelSet const& set) { return set.twice; }

template <class Check> void for_each_set(Check const& check) {
    KernelSets const found = supported_kernels();
    for (std::size_t i = 0; i < found.count; ++i) {
        SCOPED_TRACE(found.sets[i]->name);
        check(*found.sets[i]);
    }
}

template <class R> class KernelsOf : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(KernelsOf, Precisions);

TYPED_TEST(KernelsOf, MultiplyEveryTileShapeLikeTheTripleLoop) {
    using R = TypeParam;
    for_each_set([](KernelSet const& set) {
        auto const& kernels = table<R>(set);
        Rng rng(1);
        for (bool const transposed : {false, true})
            for (std::size_t rows = 1; rows <= 30; ++rows)
                for (std::size_t const cols : {1UL, kernels.width, kernels.width + 3, 3 * kernels.panel}) {
                    std::size_t const inner = 11;
                    auto const a =
                        transposed ? Grid<R>::random(inner, rows, rng, 2) : Grid<R>::random(rows, inner, rng, 2);
                    auto const b = Grid<R>::random(inner, cols, rng);
                    std::vector<R> panels((cols + kernels.panel) * inner);
                    kernels.pack(b.values.data(), b.stride, inner, cols, false, panels.data());
                    Grid<R> c(rows, cols, 3);
                    kernels.multiply({.rows = rows,
                                      .inner = inner,
                                      .cols = cols,
                                      .a = a.values.data(),
                                      .a_stride = a.stride,
                                      .a_transposed = transposed,
                                      .b = panels.data(),
                                      .b_stride = kernels.panel,
                                      .panel_stride = kernels.panel * inner,
                                      .c = c.values.data(),
                                      .c_stride = c.stride});
                    Grid<double> expected(rows, cols);
                    for (std::size_t i = 0; i < rows; ++i)
                        for (std::size_t j = 0; j < cols; ++j)
                            for (std::size_t k = 0; k < inner; ++k)
                                expected(i, j) +=
                                    static_cast<double>(transposed ? a(k, i) : a(i, k)) * static_cast<double>(b(k, j));
                    ASSERT_LE(worst_difference(c, expected), tolerance<R>) << rows << " x " << cols;
                    ASSERT_TRUE(c.gaps_untouched());
                }
    });
}

TYPED_TEST(KernelsOf, PackAMatrixAndItsTransposeAlike) {
    using R = TypeParam;
    for_each_set([](KernelSet const& set) {
        auto const& kernels = table<R>(set);
        Rng rng(2);
        for (std::size_t const inner : {1, 7, 16, 37})
            for (std::size_t const cols : {1, 15, 16, 51, 70}) {
                auto const b = Grid<R>::random(inner, cols, rng);
                Grid<R> bt(cols, inner, 1);
                for (std::size_t k = 0; k < inner; ++k)
                    for (std::size_t j = 0; j < cols; ++j) bt(j, k) = b(k, j);
                std::size_t const size = (cols + kernels.panel - 1) / kernels.panel * kernels.panel * inner;
                std::vector<R> plain(size, R{9}), turned(size, R{8});
                kernels.pack(b.values.data(), b.stride, inner, cols, false, plain.data());
                kernels.pack(bt.values.data(), bt.stride, inner, cols, true, turned.data());
                ASSERT_EQ(plain, turned) << inner << " x " << cols;
            }
    });
}

/// Distance in units of the last place of the expected value.
double ulps(float actual, double expected) {
    float const rounded = static_cast<float>(expected);
    double const unit = static_cast<double>(std::nextafter(rounded, 2 * rounded + 1) - rounded);
    return std::abs(static_cast<double>(actual) - expected) / unit;
}

TEST(FloatExponential, IsWithinTwoUnitsOfTheLastPlace) {
    for_each_set([](KernelSet const& set) {
        // Bit patterns of 0 .. 87.3, every 4801st: 200,000 arguments of all sizes.
        std::vector<float> arguments;
        std::uint32_t const end = [] {
            float const largest = 87.3365F;
            std::uint32_t bits = 0;
            std::memcpy(&bits, &largest, sizeof bits);
            return bits;
        }();
        for (std::uint32_t bits = 0; bits < end; bits += 4801) {
            float x = 0;
            std::memcpy(&x, &bits, sizeof x);
            arguments.push_back(-x);
        }
        std::vector<float> values = arguments;
        set.single.exponential(values.data(), values.size());
        double worst = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            worst = std::max(worst, ulps(values[i], std::exp(static_cast<double>(arguments[i]))));
        EXPECT_LE(worst, 2.0);
    });
}

TYPED_TEST(KernelsOf, ExponentialOfVeryNegativeNumbersIsExactlyZero) {
    using R = TypeParam;
    for_each_set([](KernelSet const& set) {
        constexpr R infinity = std::numeric_limits<R>::infinity();
        std::vector<R> values{R{0}, -infinity, R{-1e30F}, R{-1000}, -std::numeric_limits<R>::max()};
        table<R>(set).exponential(values.data(), values.size());
        EXPECT_EQ(values, (std::vector<R>{R{1}, R{0}, R{0}, R{0}, R{0}}));
    });
}

TEST(DoubleExponential, IsTheStandardLibrarys) {
    for_each_set([](KernelSet const& set) {
        std::vector<double> values;
        for (double x = 0; x > -700; x -= 0.37) values.push_back(x);
        std::vector<double> const arguments = values;
        set.twice.exponential(values.data(), values.size());
        for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], std::exp(arguments[i]));
    });
}

TEST(KernelSets, EndWithTheGenericOne) {
    KernelSets const found = supported_kernels();
    ASSERT_GE(found.count, 1U);
    EXPECT_STREQ(found.sets[found.count - 1]->name, "generic");
}

TEST(KernelSets, TheEnvironmentChoosesAmongTheSupported) {
    KernelSets const found = supported_kernels();
    char const* const wanted = std::getenv("CAX_KERNEL");
    char const* expected = found.sets[0]->name;
    for (std::size_t i = 0; wanted && i < found.count; ++i)
        if (std::strcmp(found.sets[i]->name, wanted) == 0) expected = wanted;
    EXPECT_STREQ(kernel_name(), expected);
}

} // namespace
} // namespace cax::nn
