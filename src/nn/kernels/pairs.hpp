#pragma once
// Loops over all pairs of two sets of rows, head by head, for attention between two kinds of rows. A pair's heads lie
// side by side, so heads (or the channels of one head) are the lanes of a vector; sums run over rows in order.
#include "kernels.hpp"
#include "kernels/softmax.hpp"
#include "kernels/vector.hpp"

namespace cax::nn {
namespace {

/// N neighbouring values, wherever they lie. They are copied, for neither compiler keeps the alignment of a vector
/// typedef everywhere once it depends on template parameters; the copies become plain vector loads and stores.
template <class R, std::size_t N> struct Lanes {
    typedef R Type __attribute__((vector_size(N * sizeof(R))));
    static CAX_INLINE Type get(R const* from) {
        Type value;
        __builtin_memcpy(&value, from, sizeof value);
        return value;
    }
    static CAX_INLINE void put(R* to, Type value) { __builtin_memcpy(to, &value, sizeof value); }
};

template <std::size_t N> struct Count { static constexpr std::size_t value = N; };

/// Calls work(first, Count<N>) for groups of 16, 8, 4 and at last single columns.
template <class Work> CAX_INLINE void for_lanes(std::size_t cols, Work const& work) {
    std::size_t c = 0;
    for (; c + 16 <= cols; c += 16) work(c, Count<16>{});
    if (c + 8 <= cols) work(c, Count<8>{}), c += 8;
    if (c + 4 <= cols) work(c, Count<4>{}), c += 4;
    for (; c < cols; ++c) work(c, Count<1>{});
}

template <class R> void softmax_columns(ColumnBlocks blocks, R const* z, R scale, R* p) {
    std::size_t const size = blocks.rows * blocks.cols;
    for (std::size_t b = 0; b < blocks.count; ++b)
        for_lanes(
            blocks.cols, [=](std::size_t c, auto n) __attribute__((always_inline)) {
                using L = Lanes<R, decltype(n)::value>;
                R const* const from = z + b * size + c;
                R* const to = p + b * size + c;
                typename L::Type top = L::get(from);
                for (std::size_t i = blocks.cols; i < size; i += blocks.cols)
                    top = L::get(from + i) > top ? L::get(from + i) : top;
                for (std::size_t i = 0; i < size; i += blocks.cols) L::put(to + i, (L::get(from + i) - top) * scale);
            });
    exponential_all(p, blocks.count * size);
    for (std::size_t b = 0; b < blocks.count; ++b)
        for_lanes(
            blocks.cols, [=](std::size_t c, auto n) __attribute__((always_inline)) {
                using L = Lanes<R, decltype(n)::value>;
                R* const to = p + b * size + c;
                typename L::Type sum = L::get(to);
                for (std::size_t i = blocks.cols; i < size; i += blocks.cols) sum += L::get(to + i);
                typename L::Type const inverse = R{1} / sum;
                for (std::size_t i = 0; i < size; i += blocks.cols) L::put(to + i, L::get(to + i) * inverse);
            });
}

template <class R> void softmax_columns_backward(ColumnBlocks blocks, R const* p, R const* dp, R* dz) {
    std::size_t const size = blocks.rows * blocks.cols;
    for (std::size_t b = 0; b < blocks.count; ++b)
        for_lanes(
            blocks.cols, [=](std::size_t c, auto n) __attribute__((always_inline)) {
                using L = Lanes<R, decltype(n)::value>;
                std::size_t const first = b * size + c, end = first + size;
                typename L::Type mean = L::get(p + first) * L::get(dp + first);
                for (std::size_t i = first + blocks.cols; i < end; i += blocks.cols)
                    mean += L::get(p + i) * L::get(dp + i);
                for (std::size_t i = first; i < end; i += blocks.cols)
                    L::put(dz + i, L::get(dz + i) + L::get(p + i) * (L::get(dp + i) - mean));
            });
}

/// Rows of H blocks of d channels -> rows of d blocks of H heads.
template <class R>
CAX_INLINE void heads_together(R const* x, std::size_t stride, std::size_t rows, std::size_t heads, std::size_t dim,
                               R* to) {
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t h = 0; h < heads; ++h)
            for (std::size_t i = 0; i < dim; ++i) to[(r * dim + i) * heads + h] = x[r * stride + h * dim + i];
}

/// Lanes are heads: no sum across a vector.
template <class R> CAX_INLINE void dot_many_heads(HeadDots<R> const& job) {
    std::size_t const heads = job.heads, all = job.heads * job.dim;
    R* const a = job.scratch;
    R* const b = a + job.a_rows * all;
    heads_together(job.a, job.a_stride, job.a_rows, heads, job.dim, a);
    heads_together(job.b, job.b_stride, job.b_rows, heads, job.dim, b);
    R* out = job.out;
    for (std::size_t i = 0; i < job.a_rows; ++i)
        for (std::size_t j = 0; j < job.b_rows; ++j, out += job.out_stride) {
            R const* const x = a + i * all;
            R const* const y = b + j * all;
            for_lanes(
                heads, [&](std::size_t h, auto n) __attribute__((always_inline)) {
                    using L = Lanes<R, decltype(n)::value>;
                    typename L::Type sum{};
                    for (std::size_t c = h; c < all; c += heads) sum += L::get(x + c) * L::get(y + c);
                    sum *= job.factor;
                    L::put(out + h, job.accumulate ? L::get(out + h) + sum : sum);
                });
        }
}

/// Lanes are channels.
template <class R> CAX_INLINE R dot_channels(R const* x, R const* y, std::size_t count) {
    Vector<R> sums[2]{};
    std::size_t c = 0;
    for (; c + 2 * width<R> <= count; c += 2 * width<R>) {
        sums[0] += load(x + c) * load(y + c);
        sums[1] += load(x + c + width<R>) * load(y + c + width<R>);
    }
    Vector<R> const all = sum_of<R>(sums[0] + sums[1]);
    R total = all[0];
    for (; c < count; ++c) total += x[c] * y[c];
    return total;
}

template <class R> void dot_heads(HeadDots<R> const& job) {
    if (job.heads >= 4) return dot_many_heads(job);
    R* out = job.out;
    for (std::size_t i = 0; i < job.a_rows; ++i)
        for (std::size_t j = 0; j < job.b_rows; ++j, out += job.out_stride)
            for (std::size_t h = 0; h < job.heads; ++h) {
                R const* const x = job.a + i * job.a_stride + h * job.dim;
                R const* const y = job.b + j * job.b_stride + h * job.dim;
                R const dot = job.factor * dot_channels(x, y, job.dim);
                out[h] = job.accumulate ? out[h] + dot : dot;
            }
}

/// K heads of one target at a time: K sums that do not wait for each other.
template <std::size_t K, class R> CAX_INLINE void mix_some_heads(HeadMix<R> const& job, std::size_t t, std::size_t h) {
    for_lanes(
        job.dim, [&](std::size_t c, auto n) __attribute__((always_inline)) {
            using L = Lanes<R, decltype(n)::value>;
            typename L::Type sums[K]{};
            R const* weights = job.weights + t * job.target_step + h;
            R const* x = job.x + h * job.dim + c;
            for (std::size_t s = 0; s < job.sources; ++s, weights += job.source_step, x += job.x_stride) {
                CAX_UNROLL
                for (std::size_t k = 0; k < K; ++k) sums[k] += L::get(x + k * job.dim) * weights[k];
            }
            R* const out = job.out + t * job.out_stride + h * job.dim + c;
            CAX_UNROLL
            for (std::size_t k = 0; k < K; ++k) {
                R* const to = out + k * job.dim;
                L::put(to, job.accumulate ? L::get(to) + sums[k] * job.factor : sums[k] * job.factor);
            }
        });
}

template <class R> void mix_heads(HeadMix<R> const& job) {
    for (std::size_t t = 0; t < job.targets; ++t) {
        std::size_t h = 0;
        for (; h + 4 <= job.heads; h += 4) mix_some_heads<4>(job, t, h);
        for (; h < job.heads; ++h) mix_some_heads<1>(job, t, h);
    }
}

} // namespace
} // namespace cax::nn
