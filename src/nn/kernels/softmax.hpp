#pragma once
// Exponentials and softmax, forward and backward, a row at a time. A row's result depends on its values and its length
// alone.
#include "kernels.hpp"
#include "kernels/vector.hpp"

namespace cax::nn {
namespace {

/// exp(x) = 2^n exp(r), n = round(x / ln 2), |r| <= ln 2 / 2, for x <= 88. Coefficients: minimax of (exp(r) - 1 - r) /
/// r^2. Below the smallest normal number the answer is 0: a weight of 1e-38 is none, and subnormals cost hundreds of
/// cycles.
CAX_INLINE Vector<float> exp_of(Vector<float> x) {
    using Integers = Simd<float>::Integers;
    float constexpr shift = 12582912.0F; // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
    Vector<float> const shifted = x * 1.44269504F + shift;
    Vector<float> const n = shifted - shift;
    Vector<float> const r = (x - n * 0.693359375F) - n * -2.12194440e-4F;
    Vector<float> y = splat(1.9875691500E-4F);
    y = y * r + 1.3981999507E-3F;
    y = y * r + 8.3334519073E-3F;
    y = y * r + 4.1665795894E-2F;
    y = y * r + 1.6666665459E-1F;
    y = y * r + 5.0000001201E-1F;
    y = y * (r * r) + r + 1.0F;
    Integers const power = reinterpret_cast<Integers>(shifted) << 23;
    Vector<float> const scaled = reinterpret_cast<Vector<float>>(reinterpret_cast<Integers>(y) + power);
    return x < -87.33654F ? Vector<float>{} : scaled;
}

CAX_INLINE Vector<double> exp_of(Vector<double> x) {
    CAX_UNROLL
    for (std::size_t i = 0; i < width<double>; ++i) x[i] = __builtin_exp(x[i]);
    return x;
}

template <class R> void exponential_all(R* values, std::size_t count) {
    std::size_t i = 0;
    for (; i + width<R> <= count; i += width<R>) store(values + i, exp_of(load(values + i)));
    if (i < count) store_part(values + i, exp_of(load_part(values + i, count - i, R{0})), count - i);
}

template <class R> CAX_INLINE void softmax_row(R* values, std::size_t n) {
    constexpr R nothing = -static_cast<R>(__builtin_inff());
    std::size_t const whole = n / width<R> * width<R>;
    Vector<R> const tail = load_part(values + whole, n - whole, nothing);
    Vector<R> top = tail;
    for (std::size_t i = 0; i < whole; i += width<R>) top = larger<R>(load(values + i), top);
    R shift = largest_of<R>(top);
    if (shift == nothing) shift = R{0};
    Vector<R> total = exp_of(tail - shift);
    Vector<R> const tail_exp = total;
    for (std::size_t i = 0; i < whole; i += width<R>) {
        Vector<R> const e = exp_of(load(values + i) - shift);
        store(values + i, e);
        total += e;
    }
    R const sum = sum_of<R>(total);
    R const inverse = sum > R{0} ? R{1} / sum : sum; // NaN stays NaN
    for (std::size_t i = 0; i < whole; i += width<R>) store(values + i, load(values + i) * inverse);
    store_part(values + whole, tail_exp * inverse, n - whole);
}

template <class R> void softmax_rows(Block<R> rows) {
    for (std::size_t i = 0; i < rows.rows; ++i) softmax_row(rows.data + i * rows.stride, rows.cols);
}

template <class R> CAX_INLINE void softmax_backward_row(R const* p, R* dp, std::size_t n) {
    std::size_t const whole = n / width<R> * width<R>;
    Vector<R> const p_tail = load_part(p + whole, n - whole, R{0});
    Vector<R> const dp_tail = load_part(dp + whole, n - whole, R{0});
    Vector<R> dot = p_tail * dp_tail;
    for (std::size_t i = 0; i < whole; i += width<R>) dot += load(p + i) * load(dp + i);
    R const mean = sum_of<R>(dot);
    for (std::size_t i = 0; i < whole; i += width<R>) store(dp + i, load(p + i) * (load(dp + i) - mean));
    store_part(dp + whole, p_tail * (dp_tail - mean), n - whole);
}

template <class R> void softmax_backward_rows(Block<R const> p, Block<R> dp) {
    for (std::size_t i = 0; i < p.rows; ++i)
        softmax_backward_row(p.data + i * p.stride, dp.data + i * dp.stride, p.cols);
}

} // namespace
} // namespace cax::nn
