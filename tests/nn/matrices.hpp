#pragma once
// Matrices for tests of the engine: rows with a gap behind them that no kernel may read (NaN) or write, and the naive
// definitions that fast code is compared with.
#include "cax/core/rng.hpp"
#include "cax/nn/view.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace cax::nn::test {

template <class R> constexpr double tolerance = sizeof(R) == sizeof(float) ? 1e-5 : 1e-12;

template <class R> struct Grid {
    std::size_t rows, cols, stride;
    std::vector<R> values;

    Grid(std::size_t row_count, std::size_t col_count, std::size_t gap = 0)
        : rows(row_count),
          cols(col_count),
          stride(col_count + gap),
          values(rows * stride, std::numeric_limits<R>::quiet_NaN()) {
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < cols; ++c) (*this)(r, c) = R{0};
    }
    static Grid random(std::size_t rows, std::size_t cols, Rng& rng, std::size_t gap = 0) {
        Grid grid(rows, cols, gap);
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < cols; ++c) grid(r, c) = static_cast<R>(rng.normal());
        return grid;
    }
    R& operator()(std::size_t r, std::size_t c) { return values[r * stride + c]; }
    R operator()(std::size_t r, std::size_t c) const { return values[r * stride + c]; }
    View<R> view() { return {values.data(), rows, cols, stride}; }
    View<R const> view() const { return {values.data(), rows, cols, stride}; }
    [[nodiscard]] bool gaps_untouched() const {
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = cols; c < stride; ++c)
                if (!std::isnan((*this)(r, c))) return false;
        return true;
    }
};

/// Largest difference relative to the largest expected value (and at least 1).
template <class A, class B> double worst_difference(Grid<A> const& actual, Grid<B> const& expected) {
    double worst = 0;
    double size = 1;
    for (std::size_t r = 0; r < expected.rows; ++r)
        for (std::size_t c = 0; c < expected.cols; ++c) {
            auto const want = static_cast<double>(expected(r, c));
            double const difference = std::abs(static_cast<double>(actual(r, c)) - want);
            worst = std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(worst, difference);
            size = std::max(size, std::abs(want));
        }
    return worst / size;
}

/// d f / d x by central differences, for every entry of a matrix.
template <class F> Grid<double> numeric_gradient(Grid<double>& x, F const& f) {
    Grid<double> gradient(x.rows, x.cols);
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c) {
            constexpr double step = 1e-5;
            double const kept = x(r, c);
            x(r, c) = kept + step;
            double const above = f();
            x(r, c) = kept - step;
            double const below = f();
            x(r, c) = kept;
            gradient(r, c) = (above - below) / (2 * step);
        }
    return gradient;
}

/// sum of weights * y: a scalar whose gradient with respect to y is `weights`.
inline double weighted_sum(Grid<double> const& weights, Grid<double> const& y) {
    double sum = 0;
    for (std::size_t r = 0; r < y.rows; ++r)
        for (std::size_t c = 0; c < y.cols; ++c) sum += weights(r, c) * y(r, c);
    return sum;
}

/// Are rows first .. first+part.rows-1 of `whole` equal to `part` in every bit?
template <class R> bool same_bits(Grid<R> const& whole, std::size_t first, Grid<R> const& part) {
    for (std::size_t r = 0; r < part.rows; ++r)
        for (std::size_t c = 0; c < part.cols; ++c)
            if (!(whole(first + r, c) == part(r, c)) || std::signbit(whole(first + r, c)) != std::signbit(part(r, c)))
                return false;
    return true;
}

/// Rows first .. first+count-1 as a matrix of their own.
template <class R> Grid<R> middle(Grid<R> const& whole, std::size_t first, std::size_t count) {
    Grid<R> part(count, whole.cols);
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t c = 0; c < whole.cols; ++c) part(r, c) = whole(first + r, c);
    return part;
}

} // namespace cax::nn::test
