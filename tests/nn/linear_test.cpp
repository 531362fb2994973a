#include "cax/nn/blocks.hpp"
#include "matrices.hpp"

#include <rapidcheck/gtest.h>

namespace cax::nn {
namespace {

using namespace test;

/// A linear map with random parameters.
template <class R> struct Map {
    Parameters<R> parameters;
    Linear<R> linear;
    Map(std::size_t in, std::size_t out, bool bias, Rng& rng) : linear(parameters, "map", in, out, bias) {
        for (R& value : parameters.values()) value = static_cast<R>(rng.normal());
        linear.pack(parameters);
    }
    [[nodiscard]] double weight(std::size_t o, std::size_t i) const {
        return static_cast<double>(parameters.at(linear.weight())[o * linear.in() + i]);
    }
    [[nodiscard]] double bias(std::size_t o) const {
        return linear.bias() ? static_cast<double>(parameters.at(linear.bias())[o]) : 0;
    }
    [[nodiscard]] Grid<double> naive(Grid<R> const& x) const {
        Grid<double> y(x.rows, linear.out());
        for (std::size_t r = 0; r < x.rows; ++r)
            for (std::size_t o = 0; o < linear.out(); ++o) {
                y(r, o) = bias(o);
                for (std::size_t i = 0; i < x.cols; ++i) y(r, o) += static_cast<double>(x(r, i)) * weight(o, i);
            }
        return y;
    }
};

template <class R>
void check_forward_and_input_gradient(std::size_t rows, std::size_t in, std::size_t out, bool bias,
                                      std::uint64_t seed) {
    Rng rng(seed);
    Map<R> const map(in, out, bias, rng);
    auto const x = Grid<R>::random(rows, in, rng, 1);
    Grid<R> y(rows, out, 2);
    map.linear.forward(x.view(), y.view());
    RC_ASSERT(worst_difference(y, map.naive(x)) <= tolerance<R>);
    RC_ASSERT(y.gaps_untouched());

    auto const dy = Grid<R>::random(rows, out, rng, 1);
    Grid<double> expected(rows, in);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < in; ++i)
            for (std::size_t o = 0; o < out; ++o) expected(r, i) += static_cast<double>(dy(r, o)) * map.weight(o, i);
    Grid<R> dx(rows, in, 3);
    map.linear.backward_input(dy.view(), dx.view());
    RC_ASSERT(worst_difference(dx, expected) <= tolerance<R>);
    map.linear.backward_input(dy.view(), dx.view(), true);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < in; ++i) expected(r, i) *= 2;
    RC_ASSERT(worst_difference(dx, expected) <= tolerance<R>);
    RC_ASSERT(dx.gaps_untouched());
}

RC_GTEST_PROP(Linear, AgreesWithItsDefinitionInFloat, (std::uint64_t seed, bool bias)) {
    check_forward_and_input_gradient<float>(*rc::gen::inRange<std::size_t>(1, 70),
                                            *rc::gen::inRange<std::size_t>(1, 50),
                                            *rc::gen::inRange<std::size_t>(1, 70), bias, seed);
}
RC_GTEST_PROP(Linear, AgreesWithItsDefinitionInDouble, (std::uint64_t seed, bool bias)) {
    check_forward_and_input_gradient<double>(*rc::gen::inRange<std::size_t>(1, 70),
                                             *rc::gen::inRange<std::size_t>(1, 50),
                                             *rc::gen::inRange<std::size_t>(1, 70), bias, seed);
}

TEST(Linear, DeclaresItsParametersUnderRl4coNames) {
    Parameters<double> parameters;
    Linear<double> const with(parameters, "a", 3, 4, true);
    Linear<double> const without(parameters, "b", 4, 2, false);
    ASSERT_EQ(parameters.entries().size(), 3U);
    EXPECT_EQ(parameters.entries()[0].name, "a.weight");
    EXPECT_EQ(parameters.entries()[0].shape, (cax::Shape{4, 3}));
    EXPECT_EQ(parameters.entries()[1].name, "a.bias");
    EXPECT_EQ(parameters.entries()[2].name, "b.weight");
    EXPECT_TRUE(with.bias());
    EXPECT_FALSE(without.bias());
}

TEST(Linear, AddsTheResidualBeforeTheReLU) {
    Rng rng(1);
    Map<double> const map(5, 7, true, rng);
    auto const x = Grid<double>::random(4, 5, rng);
    auto const residual = Grid<double>::random(4, 7, rng);
    Grid<double> y(4, 7);
    map.linear.forward(x.view(), y.view(), residual.view(), true);
    Grid<double> expected = map.naive(x);
    for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t o = 0; o < 7; ++o) expected(r, o) = std::max(0.0, expected(r, o) + residual(r, o));
    EXPECT_LE(worst_difference(y, expected), 1e-12);
}

TEST(Linear, ItsRowsAloneGiveTheBitsOfTheWholeMap) {
    Rng rng(2);
    Map<float> const map(24, 96, true, rng);
    auto const x = Grid<float>::random(9, 24, rng);
    Grid<float> whole(9, 96);
    map.linear.forward(x.view(), whole.view());
    for (auto const& [first, count] : {std::pair<std::size_t, std::size_t>{0, 96}, {32, 32}, {64, 32}, {13, 40}}) {
        Grid<float> part(9, count);
        map.linear.forward_rows(first, count, x.view(), part.view());
        for (std::size_t r = 0; r < 9; ++r)
            for (std::size_t c = 0; c < count; ++c) ASSERT_EQ(part(r, c), whole(r, first + c));
    }
}

TEST(Linear, ForgetsOldParametersWhenPackedAgain) {
    Rng rng(3);
    Map<double> map(6, 6, true, rng);
    auto const x = Grid<double>::random(2, 6, rng);
    for (double& value : map.parameters.values()) value = rng.normal();
    map.linear.pack(map.parameters);
    Grid<double> y(2, 6);
    map.linear.forward(x.view(), y.view());
    EXPECT_LE(worst_difference(y, map.naive(x)), 1e-12);
}

/// f = <w, relu(first(x))> through second, so that every way back is taken: gate, accumulation, weights, biases.
TEST(Linear, ItsGradientsAgreeWithCentralDifferencesThroughAReLU) {
    Rng rng(4);
    Parameters<double> parameters;
    Linear<double> first(parameters, "first", 5, 19, true), second(parameters, "second", 19, 3, true);
    for (double& value : parameters.values()) value = rng.normal();
    Grid<double> x = Grid<double>::random(6, 5, rng);
    auto const weights = Grid<double>::random(6, 3, rng);
    Grid<double> h(6, 19), y(6, 3);
    auto const value = [&] {
        first.pack(parameters);
        second.pack(parameters);
        first.forward(x.view(), h.view(), {}, true);
        second.forward(h.view(), y.view());
        return weighted_sum(weights, y);
    };
    value();
    Arena arena;
    Grid<double> dh(6, 19), dx(6, 5);
    std::vector<double> gradient(parameters.values().size());
    second.backward_input(weights.view(), dh.view(), false, h.view());
    second.backward_parameters(h.view(), weights.view(), gradient, arena);
    first.backward_input(dh.view(), dx.view());
    first.backward_parameters(x.view(), dh.view(), gradient, arena);

    EXPECT_LE(worst_difference(dx, numeric_gradient(x, value)), 1e-6);
    Grid<double> flat(1, gradient.size());
    std::copy(gradient.begin(), gradient.end(), flat.values.begin());
    Grid<double> values(1, gradient.size());
    std::copy(parameters.values().begin(), parameters.values().end(), values.values.begin());
    auto const of_parameters = [&] {
        std::copy(values.values.begin(), values.values.end(), parameters.values().begin());
        return value();
    };
    EXPECT_LE(worst_difference(flat, numeric_gradient(values, of_parameters)), 1e-6);
}

TEST(Linear, AddsToTheParameterGradientThatIsThere) {
    Rng rng(5);
    Map<double> const map(7, 9, true, rng);
    auto const x = Grid<double>::random(30, 7, rng);
    auto const dy = Grid<double>::random(30, 9, rng);
    Arena arena;
    std::vector<double> once(map.parameters.values().size()), twice = once;
    map.linear.backward_parameters(x.view(), dy.view(), once, arena);
    map.linear.backward_parameters(x.view(), dy.view(), twice, arena);
    map.linear.backward_parameters(x.view(), dy.view(), twice, arena);
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(twice[i], 2 * once[i], 1e-12 * std::abs(once[i]));
}

template <class R> void check_chain(bool inner_bias, bool outer_bias, std::uint64_t seed) {
    Rng rng(seed);
    Parameters<R> parameters;
    Linear<R> inner(parameters, "inner", 5, 33, inner_bias), outer(parameters, "outer", 33, 47, outer_bias);
    for (R& value : parameters.values()) value = static_cast<R>(rng.normal());
    inner.pack(parameters);
    outer.pack(parameters);
    Linear<R> chain;
    chain.pack_chain(inner, outer, parameters);
    auto const x = Grid<R>::random(9, 5, rng, 1);
    Grid<R> between(9, 33), expected(9, 47), y(9, 47, 2);
    inner.forward(x.view(), between.view());
    outer.forward(between.view(), expected.view());
    chain.forward(x.view(), y.view());
    EXPECT_LE(worst_difference(y, expected), tolerance<R>);
    EXPECT_TRUE(y.gaps_untouched());
}

TEST(Linear, AChainOfTwoIsOneProduct) {
    for (bool const inner : {false, true})
        for (bool const outer : {false, true}) {
            check_chain<float>(inner, outer, 3);
            check_chain<double>(inner, outer, 4);
        }
}

} // namespace
} // namespace cax::nn
