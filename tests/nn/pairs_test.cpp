#include "cax/nn/pairs.hpp"

#include "cax/core/rng.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace cax::nn {
namespace {

struct PairSize {
    std::size_t left, right;
};

/// Two states of random rows behind each other; tests look at the second.
template <class R> struct PairScene {
    std::size_t heads, dim;
    std::vector<std::size_t> left_rows, right_rows;
    Arena arena;
    PairSegments segments;
    View<R> a, b, weights, other;

    PairScene(std::size_t left, std::size_t right, std::size_t head_count, std::size_t head_dim)
        : heads(head_count),
          dim(head_dim),
          left_rows{0, 2, 2 + left},
          right_rows{0, 3, 3 + right},
          segments(make_pairs(left_rows, right_rows, arena)) {
        Rng rng(left * 1000 + right * 100 + heads * 10 + dim);
        auto const random = [&](std::size_t rows, std::size_t cols) {
            View<R> const view = arena.matrix<R>(rows, cols);
            for (std::size_t i = 0; i < rows * cols; ++i) view.data[i] = static_cast<R>(rng.normal());
            return view;
        };
        a = random(2 + left, heads * dim);
        b = random(3 + right, heads * dim);
        weights = random(6 + left * right, heads);
        other = random(6 + left * right, heads);
    }
    PairState state() const { return segments.state(1); }
    View<R> copy(View<R> view) {
        View<R> const result = arena.matrix<R>(view.rows, view.cols);
        std::copy_n(view.data, view.rows * view.cols, result.data);
        return result;
    }

    /// work(i, j, pair): rows of the second state.
    template <class Work> void for_each_pair(Work const& work) const {
        std::size_t pair = 6;
        for (std::size_t i = left_rows[1]; i < left_rows[2]; ++i)
            for (std::size_t j = right_rows[1]; j < right_rows[2]; ++j) work(i, j, pair++);
    }
};

template <class R> void expect_near(View<R> ours, View<R> theirs) {
    double const tolerance = std::is_same_v<R, float> ? 2e-5 : 1e-12;
    for (std::size_t i = 0; i < ours.rows * ours.cols; ++i)
        ASSERT_NEAR(ours.data[i], theirs.data[i], tolerance) << "row " << i / ours.cols << " column " << i % ours.cols;
}

/// Few heads and many, channels that fill vectors and that do not, one row and several.
template <class R, class Work> void for_each_scene(Work const& work) {
    for (std::size_t const heads : {1u, 3u, 4u, 5u, 8u, 12u, 21u})
        for (std::size_t const dim : {1u, 4u, 7u, 16u, 45u})
            for (PairSize const size : {PairSize{1, 1}, PairSize{4, 1}, PairSize{1, 3}, PairSize{6, 5}}) {
                SCOPED_TRACE(testing::Message()
                             << heads << " heads of " << dim << ", " << size.left << " x " << size.right);
                PairScene<R> scene(size.left, size.right, heads, dim);
                work(scene);
            }
}

template <class R> class Pairs : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Pairs, Reals);

TYPED_TEST(Pairs, HaveTheDotProductOfEveryHead) {
    using R = TypeParam;
    for_each_scene<R>([](PairScene<R>& scene) {
        for (Write const write : {Write::over, Write::add}) {
            View<R> const ours = scene.copy(scene.other), theirs = scene.copy(scene.other);
            pair_dots<R>(scene.state(), scene.a, scene.b, R(0.5), ours, scene.arena, write);
            scene.for_each_pair([&](std::size_t i, std::size_t j, std::size_t pair) {
                for (std::size_t h = 0; h < scene.heads; ++h) {
                    R dot = 0;
                    for (std::size_t c = h * scene.dim; c < (h + 1) * scene.dim; ++c)
                        dot += scene.a(i, c) * scene.b(j, c);
                    theirs(pair, h) = (write == Write::add ? theirs(pair, h) : R(0)) + R(0.5) * dot;
                }
            });
            expect_near(ours, theirs);
        }
    });
}

TYPED_TEST(Pairs, SumOverTheRightRowsOfALeftOne) {
    using R = TypeParam;
    for_each_scene<R>([](PairScene<R>& scene) {
        for (Write const write : {Write::over, Write::add}) {
            View<R> const ours = scene.copy(scene.a), theirs = scene.copy(scene.a);
            sum_over_right<R>(scene.state(), scene.weights, scene.b, R(0.5), ours, write);
            if (write == Write::over)
                for (std::size_t i = 2; i < theirs.rows; ++i) std::fill_n(theirs.row(i), theirs.cols, R(0));
            scene.for_each_pair([&](std::size_t i, std::size_t j, std::size_t pair) {
                for (std::size_t c = 0; c < theirs.cols; ++c)
                    theirs(i, c) += R(0.5) * scene.weights(pair, c / scene.dim) * scene.b(j, c);
            });
            expect_near(ours, theirs);
        }
    });
}

TYPED_TEST(Pairs, SumOverTheLeftRowsOfARightOne) {
    using R = TypeParam;
    for_each_scene<R>([](PairScene<R>& scene) {
        for (Write const write : {Write::over, Write::add}) {
            View<R> const ours = scene.copy(scene.b), theirs = scene.copy(scene.b);
            sum_over_left<R>(scene.state(), scene.weights, scene.a, R(0.5), ours, write);
            if (write == Write::over)
                for (std::size_t j = 3; j < theirs.rows; ++j) std::fill_n(theirs.row(j), theirs.cols, R(0));
            scene.for_each_pair([&](std::size_t i, std::size_t j, std::size_t pair) {
                for (std::size_t c = 0; c < theirs.cols; ++c)
                    theirs(j, c) += R(0.5) * scene.weights(pair, c / scene.dim) * scene.a(i, c);
            });
            expect_near(ours, theirs);
        }
    });
}

TYPED_TEST(Pairs, ShareTheSoftmaxOfTheirLeftOrRightRow) {
    using R = TypeParam;
    for_each_scene<R>([](PairScene<R>& scene) {
        for (bool const over_right : {true, false}) {
            View<R> const ours = scene.copy(scene.other), theirs = scene.copy(scene.other);
            if (over_right)
                softmax_over_right<R>(scene.state(), scene.weights, R(2), ours);
            else
                softmax_over_left<R>(scene.state(), scene.weights, R(2), ours);
            scene.for_each_pair([&](std::size_t i, std::size_t j, std::size_t pair) {
                for (std::size_t h = 0; h < scene.heads; ++h) {
                    R sum = 0;
                    scene.for_each_pair([&](std::size_t k, std::size_t l, std::size_t mate) {
                        if (over_right ? k == i : l == j) sum += std::exp(2 * scene.weights(mate, h));
                    });
                    theirs(pair, h) = std::exp(2 * scene.weights(pair, h)) / sum;
                }
            });
            expect_near(ours, theirs);
        }
    });
}

TYPED_TEST(Pairs, PassGradientsThroughASoftmax) {
    using R = TypeParam;
    for_each_scene<R>([](PairScene<R>& scene) {
        for (bool const over_right : {true, false}) {
            View<R> const ours = scene.copy(scene.other), theirs = scene.copy(scene.other);
            View<R> const dp = scene.copy(scene.other);
            if (over_right)
                softmax_over_right_backward<R>(scene.state(), scene.weights, dp, ours);
            else
                softmax_over_left_backward<R>(scene.state(), scene.weights, dp, ours);
            scene.for_each_pair([&](std::size_t i, std::size_t j, std::size_t pair) {
                for (std::size_t h = 0; h < scene.heads; ++h) {
                    R mean = 0;
                    scene.for_each_pair([&](std::size_t k, std::size_t l, std::size_t mate) {
                        if (over_right ? k == i : l == j) mean += scene.weights(mate, h) * dp(mate, h);
                    });
                    theirs(pair, h) += scene.weights(pair, h) * (dp(pair, h) - mean);
                }
            });
            expect_near(ours, theirs);
        }
    });
}

TEST(PairSoftmax, SurvivesScoresThatAreFarApart) {
    PairScene<float> scene(3, 2, 8, 4);
    View<float> const p = scene.copy(scene.weights);
    scene.weights(6, 0) = 1e30F;
    scene.weights(8, 0) = -1e30F;
    softmax_over_left<float>(scene.state(), scene.weights, 3.0F, p);
    EXPECT_EQ(p(6, 0), 1.0F);
    EXPECT_EQ(p(8, 0), 0.0F);
    EXPECT_EQ(p(10, 0), 0.0F);
}

} // namespace
} // namespace cax::nn
