#pragma once
// Weighted sums of scattered rows and their dot products with a few targets. Channels are interleaved (the heads of a
// channel side by side), so that heads are the lanes of a vector and no sum runs across one.
#include "kernels.hpp"
#include "kernels/pairs.hpp"
#include "kernels/vector.hpp"

namespace cax::nn {
namespace {

/// Channels summed at a time: sums that do not wait for each other.
constexpr std::size_t mixture_step = 4;

template <class R> void mix_rows(RowMix<R> const& job, R const* weights, R* out) {
    std::size_t const heads = job.heads, all = heads * job.dim, step = job.targets * heads;
    for (std::size_t t = 0; t < job.targets; ++t, out += all)
        for_lanes(
            heads, [&](std::size_t h, auto n) __attribute__((always_inline)) {
                using L = Lanes<R, decltype(n)::value>;
                R const* const w = weights + t * heads + h;
                std::size_t i = 0;
                for (; i + mixture_step <= job.dim; i += mixture_step) {
                    typename L::Type sums[mixture_step]{};
                    for (std::size_t s = 0; s < job.sources; ++s) {
                        typename L::Type const weight = L::get(w + s * step);
                        R const* const x = job.rows[s] + i * heads + h;
                        CAX_UNROLL
                        for (std::size_t k = 0; k < mixture_step; ++k) sums[k] += weight * L::get(x + k * heads);
                    }
                    CAX_UNROLL
                    for (std::size_t k = 0; k < mixture_step; ++k) L::put(out + (i + k) * heads + h, sums[k]);
                }
                for (; i < job.dim; ++i) {
                    typename L::Type sum{};
                    for (std::size_t s = 0; s < job.sources; ++s)
                        sum += L::get(w + s * step) * L::get(job.rows[s] + i * heads + h);
                    L::put(out + i * heads + h, sum);
                }
            });
}

template <class R>
void mix_rows_backward(RowMix<R> const& job, R const* weights, R const* dout, R* dweights, R* const* drows) {
    std::size_t const heads = job.heads, all = heads * job.dim, step = job.targets * heads;
    for (std::size_t s = 0; s < job.sources; ++s)
        for_lanes(
            heads, [&](std::size_t h, auto n) __attribute__((always_inline)) {
                using L = Lanes<R, decltype(n)::value>;
                R const* const x = job.rows[s] + h;
                R* const dx = drows[s] + h;
                for (std::size_t t = 0; t < job.targets; ++t) {
                    R const* const d = dout + t * all + h;
                    typename L::Type const weight = L::get(weights + s * step + t * heads + h);
                    typename L::Type sums[2]{};
                    std::size_t c = 0;
                    for (; c + 2 * heads <= all; c += 2 * heads) {
                        typename L::Type const d0 = L::get(d + c), d1 = L::get(d + c + heads);
                        sums[0] += L::get(x + c) * d0;
                        sums[1] += L::get(x + c + heads) * d1;
                        L::put(dx + c, L::get(dx + c) + weight * d0);
                        L::put(dx + c + heads, L::get(dx + c + heads) + weight * d1);
                    }
                    for (; c < all; c += heads) {
                        sums[0] += L::get(x + c) * L::get(d + c);
                        L::put(dx + c, L::get(dx + c) + weight * L::get(d + c));
                    }
                    L::put(dweights + s * step + t * heads + h, sums[0] + sums[1]);
                }
            });
}

/// dots(s, t) = factor * <rows[s], y_t> over all channels.
template <class R> void compare_rows(RowMix<R> const& job, R const* y, R factor, R* dots) {
    std::size_t const all = job.heads * job.dim;
    for (std::size_t s = 0; s < job.sources; ++s)
        for (std::size_t t = 0; t < job.targets; ++t) *dots++ = factor * dot_channels(job.rows[s], y + t * all, all);
}

template <class R>
void compare_rows_backward(RowMix<R> const& job, R const* y, R factor, R const* ddots, R* dy, R* const* drows) {
    std::size_t const all = job.heads * job.dim;
    for (std::size_t i = 0; i < job.targets * all; ++i) dy[i] = R{0};
    for (std::size_t s = 0; s < job.sources; ++s)
        for (std::size_t t = 0; t < job.targets; ++t) {
            R const d = factor * *ddots++;
            if (d == R{0}) continue; // actions that the mask forbids
            R const* const x = job.rows[s];
            R const* const from = y + t * all;
            R* const to = dy + t * all;
            R* const dx = drows[s];
            std::size_t c = 0;
            for (; c + width<R> <= all; c += width<R>) {
                store(to + c, load(to + c) + load(x + c) * d);
                store(dx + c, load(dx + c) + load(from + c) * d);
            }
            for (; c < all; ++c) {
                to[c] += x[c] * d;
                dx[c] += from[c] * d;
            }
        }
}

} // namespace
} // namespace cax::nn
