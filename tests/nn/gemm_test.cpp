#include "cax/nn/gemm.hpp"

#include "matrices.hpp"

#include <rapidcheck/gtest.h>

namespace cax::nn {
namespace {

using namespace test;

struct Shape {
    std::size_t rows, inner, cols, gap;
};

Shape any_shape() {
    return {*rc::gen::inRange<std::size_t>(1, 70), *rc::gen::inRange<std::size_t>(0, 90),
            *rc::gen::inRange<std::size_t>(1, 100), *rc::gen::inRange<std::size_t>(0, 5)};
}

template <class R> Grid<double> naive_product(Grid<R> const& a, Grid<R> const& b) {
    Grid<double> c(a.rows, b.cols);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t j = 0; j < b.cols; ++j)
            for (std::size_t k = 0; k < a.cols; ++k)
                c(i, j) += static_cast<double>(a(i, k)) * static_cast<double>(b(k, j));
    return c;
}

template <class R> Grid<R> transposed(Grid<R> const& a, std::size_t gap = 0) {
    Grid<R> t(a.cols, a.rows, gap);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t j = 0; j < a.cols; ++j) t(j, i) = a(i, j);
    return t;
}

template <class R> void check_plain_product(Shape const& shape, std::uint64_t seed) {
    Rng rng(seed);
    auto const a = Grid<R>::random(shape.rows, shape.inner, rng, shape.gap);
    auto const b = Grid<R>::random(shape.inner, shape.cols, rng, shape.gap);
    Grid<double> const expected = naive_product(a, b);
    Arena arena;
    PackedMatrix<R> as_it_is, turned;
    as_it_is.assign(b.view());
    Grid<R> const bt = transposed(b, shape.gap);
    turned.assign_transposed(bt.view());
    std::vector<PackedMatrix<R>> const all{as_it_is, turned, PackedMatrix<R>::borrow(b.view(), arena),
                                           PackedMatrix<R>::borrow_transposed(bt.view(), arena)};
    for (PackedMatrix<R> const& packed : all) {
        RC_ASSERT(packed.inner() == shape.inner);
        RC_ASSERT(packed.cols() == shape.cols);
        Grid<R> c(shape.rows, shape.cols, shape.gap);
        multiply(a.view(), packed, c.view());
        RC_ASSERT(worst_difference(c, expected) <= tolerance<R>);
        RC_ASSERT(c.gaps_untouched());
    }
}

RC_GTEST_PROP(Multiply, AgreesWithTheTripleLoopInFloat, (std::uint64_t seed)) {
    check_plain_product<float>(any_shape(), seed);
}
RC_GTEST_PROP(Multiply, AgreesWithTheTripleLoopInDouble, (std::uint64_t seed)) {
    check_plain_product<double>(any_shape(), seed);
}

template <class R>
void check_epilogue(Shape const& shape, std::uint64_t seed, bool with_bias, bool with_residual, bool accumulate,
                    bool relu, bool with_gate) {
    Rng rng(seed);
    auto const a = Grid<R>::random(shape.rows, shape.inner, rng, shape.gap);
    auto const b = Grid<R>::random(shape.inner, shape.cols, rng);
    auto const bias = Grid<R>::random(1, shape.cols, rng);
    auto const residual = Grid<R>::random(shape.rows, shape.cols, rng, shape.gap + 1);
    auto const gate = Grid<R>::random(shape.rows, shape.cols, rng, shape.gap + 2);
    auto c = Grid<R>::random(shape.rows, shape.cols, rng, shape.gap);
    auto const scale = static_cast<R>(rng.normal());

    Grid<double> expected = naive_product(a, b);
    for (std::size_t i = 0; i < c.rows; ++i)
        for (std::size_t j = 0; j < c.cols; ++j) {
            double& value = expected(i, j);
            value *= static_cast<double>(scale);
            if (with_bias) value += static_cast<double>(bias(0, j));
            if (with_residual) value += static_cast<double>(residual(i, j));
            if (accumulate) value += static_cast<double>(c(i, j));
            if (relu && value < 0) value = 0;
            if (with_gate && !(gate(i, j) > 0)) value = 0;
        }
    PackedMatrix<R> packed;
    packed.assign(b.view());
    multiply(a.view(), packed, c.view(),
             {.bias = with_bias ? bias.values.data() : nullptr,
              .residual = with_residual ? residual.view() : View<R const>{},
              .accumulate = accumulate,
              .relu = relu,
              .gate = with_gate ? gate.view() : View<R const>{},
              .scale = scale});
    RC_ASSERT(worst_difference(c, expected) <= tolerance<R>);
    RC_ASSERT(c.gaps_untouched());
}

RC_GTEST_PROP(Multiply, AppliesEveryEpilogueInFloat,
              (std::uint64_t seed, bool bias, bool residual, bool accumulate, bool relu, bool gate)) {
    check_epilogue<float>(any_shape(), seed, bias, residual, accumulate, relu, gate);
}
RC_GTEST_PROP(Multiply, AppliesEveryEpilogueInDouble,
              (std::uint64_t seed, bool bias, bool residual, bool accumulate, bool relu, bool gate)) {
    check_epilogue<double>(any_shape(), seed, bias, residual, accumulate, relu, gate);
}

template <class R> void check_transposed_product(Shape const& shape, std::size_t rows, std::uint64_t seed) {
    Rng rng(seed);
    auto const a = Grid<R>::random(rows, shape.rows, rng, shape.gap);
    auto const b = Grid<R>::random(rows, shape.cols, rng, shape.gap + 1);
    auto c = Grid<R>::random(shape.rows, shape.cols, rng);
    Grid<double> expected = naive_product(transposed(a), b);
    for (std::size_t i = 0; i < c.rows; ++i)
        for (std::size_t j = 0; j < c.cols; ++j) expected(i, j) += static_cast<double>(c(i, j));
    Arena arena;
    multiply_transposed(a.view(), b.view(), c.view(), arena);
    RC_ASSERT(worst_difference(c, expected) <= 2 * tolerance<R>);
}

RC_GTEST_PROP(MultiplyTransposed, AddsTheTripleLoopInFloat, (std::uint64_t seed)) {
    check_transposed_product<float>(any_shape(), *rc::gen::inRange<std::size_t>(0, 700), seed);
}
RC_GTEST_PROP(MultiplyTransposed, AddsTheTripleLoopInDouble, (std::uint64_t seed)) {
    check_transposed_product<double>(any_shape(), *rc::gen::inRange<std::size_t>(0, 700), seed);
}

template <class R> class MultiplyOf : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(MultiplyOf, Precisions);

TYPED_TEST(MultiplyOf, ARowHasTheSameBitsWhateverStandsBesideIt) {
    using R = TypeParam;
    Rng rng(3);
    for (std::size_t const cols : {5, 16, 37, 128}) {
        auto const a = Grid<R>::random(40, 129, rng);
        auto const b = Grid<R>::random(129, cols, rng);
        auto const bias = Grid<R>::random(1, cols, rng);
        auto const residual = Grid<R>::random(40, cols, rng);
        PackedMatrix<R> packed;
        packed.assign(b.view());
        auto const product = [&](std::size_t first, std::size_t count) {
            Grid<R> c(count, cols);
            multiply(a.view().middle_rows(first, count), packed, c.view(),
                     {.bias = bias.values.data(),
                      .residual = residual.view().middle_rows(first, count),
                      .scale = static_cast<R>(0.3)});
            return c;
        };
        for (std::size_t count = 1; count <= 40; ++count) {
            Grid<R> const first = product(0, count);
            Grid<R> const last = product(40 - count, count);
            for (std::size_t r = 0; r < count; ++r) {
                ASSERT_TRUE(same_bits(first, r, product(r, 1))) << "row " << r << " of " << count;
                ASSERT_TRUE(same_bits(last, r, product(40 - count + r, 1))) << "row " << r << " of the last " << count;
            }
        }
    }
}

TYPED_TEST(MultiplyOf, AnyRangeOfColumnsHasTheBitsOfTheWhole) {
    using R = TypeParam;
    Rng rng(4);
    auto const a = Grid<R>::random(15, 20, rng);
    auto const b = Grid<R>::random(20, 77, rng);
    auto const bias = Grid<R>::random(1, 77, rng);
    auto const residual = Grid<R>::random(15, 77, rng);
    PackedMatrix<R> packed;
    packed.assign(b.view());
    Grid<R> whole(15, 77);
    multiply(a.view(), packed, whole.view(), {.bias = bias.values.data(), .residual = residual.view()});
    for (std::size_t first = 0; first < 77; ++first)
        for (std::size_t const count : {std::size_t{1}, std::size_t{9}, std::size_t{33}, 77 - first}) {
            if (first + count > 77) continue;
            Grid<R> part(15, count);
            multiply_columns(a.view(), packed, first, part.view(),
                             {.bias = bias.values.data() + first, .residual = residual.view().columns(first, count)});
            for (std::size_t r = 0; r < 15; ++r)
                for (std::size_t c = 0; c < count; ++c) ASSERT_EQ(part(r, c), whole(r, first + c));
        }
}

TYPED_TEST(MultiplyOf, CopiesOfAPackedMatrixStandAlone) {
    using R = TypeParam;
    Rng rng(5);
    auto const a = Grid<R>::random(3, 4, rng);
    auto const b = Grid<R>::random(4, 5, rng);
    PackedMatrix<R> copy;
    {
        PackedMatrix<R> original;
        original.assign(b.view());
        copy = original;
        original.assign(Grid<R>(4, 5).view());
    }
    Grid<R> c(3, 5);
    multiply(a.view(), copy, c.view());
    EXPECT_LE(worst_difference(c, naive_product(a, b)), tolerance<R>);
}

TYPED_TEST(MultiplyOf, NotANumberIsNotHiddenByTheReLU) {
    using R = TypeParam;
    Grid<R> a(1, 1), c(1, 20);
    a(0, 0) = std::numeric_limits<R>::quiet_NaN();
    PackedMatrix<R> packed;
    packed.assign(Grid<R>(1, 20).view());
    multiply(a.view(), packed, c.view(), {.relu = true});
    for (std::size_t j = 0; j < 20; ++j) EXPECT_TRUE(std::isnan(c(0, j)));
}

} // namespace
} // namespace cax::nn
