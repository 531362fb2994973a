#pragma once
// From logits to log-probabilities and back, a row at a time: clipping by tanh, mask, temperature, log-softmax. A row's
// result depends on its values and its length alone.
#include "kernels.hpp"
#include "kernels/softmax.hpp"
#include "kernels/vector.hpp"

namespace cax::nn {
namespace {

/// tanh |x| = (1 - e) / (1 + e), e = exp(-2 |x|): the error is below 1e-7 absolute, which is what clipping needs.
CAX_INLINE Vector<float> tanh_of(Vector<float> x) {
    Vector<float> const size = x < Vector<float>{} ? -x : x;
    Vector<float> const e = exp_of(size * -2.0F);
    Vector<float> const t = (1.0F - e) / (1.0F + e);
    return x < Vector<float>{} ? -t : t;
}
CAX_INLINE Vector<double> tanh_of(Vector<double> x) {
    CAX_UNROLL
    for (std::size_t i = 0; i < width<double>; ++i) x[i] = __builtin_tanh(x[i]);
    return x;
}

CAX_INLINE float log_of(float x) { return __builtin_logf(x); }
CAX_INLINE double log_of(double x) { return __builtin_log(x); }

/// `yes` where the mask (all ones without one) allows, `no` elsewhere and beyond the row's end.
template <class R> CAX_INLINE Vector<R> by_mask(std::uint8_t const* mask, std::size_t count, R yes, R no) {
    R buffer[width<R>];
    for (std::size_t i = 0; i < width<R>; ++i) buffer[i] = i < count && (!mask || mask[i]) ? yes : no;
    return load(buffer);
}

/// Calls work(first, count) for every vector of a row; count < width in the last one of a ragged row.
template <class R, class Work> CAX_INLINE void for_vectors(std::size_t n, Work const& work) {
    std::size_t i = 0;
    for (; i + width<R> <= n; i += width<R>) work(i, width<R>);
    if (i < n) work(i, n - i);
}
template <class R> CAX_INLINE Vector<R> load_some(R const* from, std::size_t count, R fill) {
    return count == width<R> ? load(from) : load_part(from, count, fill);
}
template <class R> CAX_INLINE void store_some(R* to, Vector<R> v, std::size_t count) {
    if (count == width<R>) return store(to, v);
    store_part(to, v, count);
}

template <class R> void log_softmax_row(LogSoftmax<R> const& row, R* log_probs) {
    constexpr R nothing = -static_cast<R>(__builtin_inff());
    Vector<R> top = splat(nothing);
    for_vectors<R>(
        row.count, [&](std::size_t i, std::size_t count) __attribute__((always_inline)) {
            Vector<R> l = load_some(row.logits + i, count, R{0});
            if (row.clip > R{0}) l = tanh_of(l) * row.clip;
            Vector<R> const open = by_mask(row.mask ? row.mask + i : nullptr, count, R{1}, R{0});
            l = open > Vector<R>{} ? l / row.temperature : splat(nothing);
            store_some(log_probs + i, l, count);
            top = larger<R>(l, top);
        });
    top = largest_of<R>(top);
    Vector<R> total{};
    for_vectors<R>(
        row.count, [&](std::size_t i, std::size_t count) __attribute__((always_inline)) {
            total += exp_of(load_some(log_probs + i, count, nothing) - top);
        });
    R const log_total = log_of(sum_of<R>(total)[0]);
    for_vectors<R>(
        row.count, [&](std::size_t i, std::size_t count) __attribute__((always_inline)) {
            store_some(log_probs + i, (load_some(log_probs + i, count, nothing) - top) - log_total, count);
        });
}

template <class R>
void log_softmax_row_backward(LogSoftmax<R> const& row, R const* log_probs, R const* weights, R* dlogits) {
    auto const weight = [&](std::size_t i, std::size_t count) __attribute__((always_inline)) {
        Vector<R> const open = by_mask(row.mask ? row.mask + i : nullptr, count, R{1}, R{0});
        return open > Vector<R>{} ? load_some(weights + i, count, R{0}) : Vector<R>{};
    };
    Vector<R> total{};
    for_vectors<R>(
        row.count, [&](std::size_t i, std::size_t count) __attribute__((always_inline)) { total += weight(i, count); });
    total = sum_of<R>(total);
    for_vectors<R>(
        row.count, [&](std::size_t i, std::size_t count) __attribute__((always_inline)) {
            // Masked actions have weight 0 and probability exp(-infinity) = 0.
            Vector<R> const p = exp_of(load_some(log_probs + i, count, -static_cast<R>(__builtin_inff())));
            Vector<R> d = (weight(i, count) - p * total) / row.temperature;
            if (row.clip > R{0}) {
                Vector<R> const t = tanh_of(load_some(row.logits + i, count, R{0}));
                d *= row.clip * (R{1} - t * t);
            }
            store_some(dlogits + i, d, count);
        });
}

} // namespace
} // namespace cax::nn
