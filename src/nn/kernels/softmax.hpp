#pragma once
// Exponentials and softmax, forward and backward, a row at a time. A row's
// result depends on its values and its length alone.
#include "kernels.hpp"
#include "kernels/vector.hpp"

namespace cax::nn {
namespace {

/// exp(x) = 2^n exp(r), n = round(x / ln 2), |r| <= ln 2 / 2, for x <= 88. The
/// polynomial is the minimax one of its degree for the relative error (3e-9,
/// Remez), the first two coefficients held at 1. Below the smallest normal
/// number the answer is 0: a weight of 1e-38 is none, and subnormal operands
/// cost hundreds of cycles.
CAX_INLINE Vector<float> exp_of(Vector<float> x) {
    using Integers = Simd<float>::Integers;
    float constexpr shift = 12582912.0F; // 1.5 * 2^23: adding it leaves the
                                         // nearest integer in the low bits
    Vector<float> const shifted = x * 1.44269504F + shift;
    Vector<float> const n = shifted - shift;
    // ln 2 in two parts; the first has 15 bits, so that n times it is exact even
    // without fused multiply-adds.
    Vector<float> const r = (x - n * 0.693145752F) - n * 1.42860682e-6F;
    Vector<float> y = r * 0x1.6a2434p-10F + 0x1.1239e2p-7F;
    y = y * r + 0x1.5558f2p-5F;
    y = y * r + 0x1.555492p-3F;
    y = y * r + 0x1.fffffcp-2F;
    y = y * r + 1.0F;
    y = y * r + 1.0F;
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
    std::size_t const rest = n - whole;
    Vector<R> tail = rest ? load_part(values + whole, rest, nothing) : splat(nothing);
    Vector<R> top = tail;
    for (std::size_t i = 0; i < whole; i += width<R>) top = larger<R>(load(values + i), top);
    top = largest_of<R>(top);
    top = top == nothing ? Vector<R>{} : top;
    Vector<R> total{};
    for (std::size_t i = 0; i < whole; i += width<R>) {
        Vector<R> const e = exp_of(load(values + i) - top);
        store(values + i, e);
        total += e;
    }
    if (rest) total += tail = exp_of(tail - top);
    R const sum = sum_of<R>(total)[0];
    R const inverse = sum > R{0} ? R{1} / sum : sum; // NaN stays NaN
    for (std::size_t i = 0; i < whole; i += width<R>) store(values + i, load(values + i) * inverse);
    if (rest) store_part(values + whole, tail * inverse, rest);
}

template <class R> void softmax_rows(Block<R> rows) {
    for (std::size_t i = 0; i < rows.rows; ++i) softmax_row(rows.data + i * rows.stride, rows.cols);
}

template <class R> CAX_INLINE void softmax_backward_row(R const* p, R* dp, std::size_t n) {
    std::size_t const whole = n / width<R> * width<R>;
    std::size_t const rest = n - whole;
    Vector<R> const p_tail = rest ? load_part(p + whole, rest, R{0}) : Vector<R>{};
    Vector<R> const dp_tail = rest ? load_part(dp + whole, rest, R{0}) : Vector<R>{};
    Vector<R> dot = p_tail * dp_tail;
    for (std::size_t i = 0; i < whole; i += width<R>) dot += load(p + i) * load(dp + i);
    Vector<R> const mean = sum_of<R>(dot);
    for (std::size_t i = 0; i < whole; i += width<R>) store(dp + i, load(p + i) * (load(dp + i) - mean));
    if (rest) store_part(dp + whole, p_tail * (dp_tail - mean), rest);
}

template <class R> void softmax_backward_rows(Block<R const> p, Block<R> dp) {
    for (std::size_t i = 0; i < p.rows; ++i)
        softmax_backward_row(p.data + i * p.stride, dp.data + i * dp.stride, p.cols);
}

} // namespace
} // namespace cax::nn
