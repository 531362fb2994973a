#include "cax/nn/blocks.hpp"
#include "kernels.hpp"
#include "right_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax::nn {

namespace {

std::size_t longest(Segments segments) {
    std::size_t most = 0;
    for (std::size_t s = 0; s + 1 < segments.size(); ++s) most = std::max(most, segments[s + 1] - segments[s]);
    return most;
}

/// Values of one state's probabilities: each head has n rows, padded with zeros to whole vectors.
template <class R> std::size_t probabilities_size(std::size_t heads, std::size_t n) { return heads * n * padded<R>(n); }

/// Queries at a time: their scores stay in the second-level cache from the first product to the last.
constexpr std::size_t query_block = 64;

/// Memory of one head's products, used again for every head.
template <class R> class Workspace {
public:
    /// `rows`: of the scores.
    Workspace(std::size_t n, std::size_t head_dim, std::size_t rows, Arena& arena)
        : panel_(kernels<R>().panel),
          memory_(arena.make<R>(size(n, head_dim))),
          values_(arena.make<R>(size(n, head_dim))),
          scores_(arena.make<R>(rows * padded<R>(n))),
          bias_(arena.make<R>(padded<R>(n))) {}

    /// The factor `b`^T (b: n x d).
    Right<R> transposed(View<R const> b) {
        kernels<R>().pack(b.data, b.stride, b.cols, b.rows, true, memory_);
        return {memory_, panel_, panel_ * b.cols};
    }
    /// The factor b (n x d).
    Right<R> plain(View<R const> b) {
        if (b.cols % kernels<R>().width == 0) return {b.data, b.stride, panel_};
        kernels<R>().pack(b.data, b.stride, b.rows, b.cols, false, values_);
        return {values_, panel_, panel_ * b.rows};
    }
    [[nodiscard]] R* scores() const { return scores_; }
    [[nodiscard]] R* bias() const { return bias_; }

private:
    std::size_t size(std::size_t n, std::size_t d) const {
        auto const whole = [&](std::size_t cols) { return (cols + panel_ - 1) / panel_ * panel_; };
        return std::max(whole(n) * d, whole(d) * n);
    }
    std::size_t panel_;
    R* memory_;
    R* values_;
    R* scores_;
    R* bias_;
};

template <class R>
void multiply(View<R const> a, bool transposed, Right<R> b, View<R> c, R scale = R{1}, R const* bias = nullptr) {
    Product<R> task = product(a, transposed, b, c, scale);
    task.bias = bias;
    kernels<R>().multiply(task);
}

} // namespace

template <class R>
auto SelfAttention<R>::forward(View<R const> qkv, Segments segments, std::span<std::uint8_t const> hidden_key,
                               View<R> out, Arena& arena, bool keep) const -> Saved {
    std::size_t const width = out.cols;
    assert(qkv.cols == 3 * width && width % heads_ == 0 && qkv.rows == out.rows);
    assert(hidden_key.empty() || hidden_key.size() == qkv.rows);
    std::size_t const d = width / heads_;
    auto const scale = static_cast<R>(1 / std::sqrt(static_cast<double>(d)));
    std::size_t size = 0;
    for (std::size_t s = 0; s + 1 < segments.size() && keep; ++s)
        size += probabilities_size<R>(heads_, segments[s + 1] - segments[s]);
    R* const probabilities = keep ? arena.make<R>(size) : nullptr;
    Arena::Mark const mark = arena.mark();
    Workspace<R> workspace(longest(segments), d, keep ? 0 : query_block, arena);
    R* next = probabilities;
    for (std::size_t s = 0; s + 1 < segments.size(); ++s) {
        std::size_t const first = segments[s];
        std::size_t const n = segments[s + 1] - first;
        std::size_t const stride = padded<R>(n);
        // Hidden keys, and the padding behind the last one, are keys of score -infinity.
        R constexpr hidden = -std::numeric_limits<R>::infinity();
        std::fill_n(workspace.bias(), n, R{0});
        std::fill_n(workspace.bias() + n, stride - n, hidden);
        for (std::size_t i = 0; i < n && !hidden_key.empty(); ++i)
            if (hidden_key[first + i]) workspace.bias()[i] = hidden;
        View<R const> const rows = qkv.middle_rows(first, n);
        for (std::size_t h = 0; h < heads_; ++h) {
            Right<R> const keys = workspace.transposed(rows.columns(width + h * d, d));
            Right<R> const values = workspace.plain(rows.columns(2 * width + h * d, d));
            for (std::size_t begin = 0; begin < n; begin += query_block) {
                std::size_t const count = std::min(query_block, n - begin);
                View<R> const p{keep ? next : workspace.scores(), count, stride, stride};
                multiply(rows.middle_rows(begin, count).columns(h * d, d), false, keys, p, scale, workspace.bias());
                kernels<R>().softmax({p.data, count, stride, stride});
                multiply<R>(p.columns(0, n), false, values, out.middle_rows(first + begin, count).columns(h * d, d));
                if (keep) next += count * stride;
            }
        }
    }
    arena.release(mark);
    return {qkv, probabilities};
}

/// Per head, O = P V and P = softmax(S), S = scale Q K^T:
///   dV = P^T dO,  dP = dO V^T,  dS = P (dP - <P, dP>),  dQ = scale dS K,  dK = scale dS^T Q.
template <class R>
void SelfAttention<R>::backward(Saved const& saved, Segments segments, View<R const> dout, View<R> dqkv,
                                Arena& arena) const {
    std::size_t const width = dout.cols;
    assert(dqkv.cols == 3 * width && dqkv.rows == dout.rows && saved.qkv.rows == dout.rows);
    std::size_t const d = width / heads_;
    auto const scale = static_cast<R>(1 / std::sqrt(static_cast<double>(d)));
    Arena::Mark const mark = arena.mark();
    Workspace<R> workspace(longest(segments), d, longest(segments), arena);
    R const* next = saved.probabilities;
    for (std::size_t s = 0; s + 1 < segments.size(); ++s) {
        std::size_t const first = segments[s];
        std::size_t const n = segments[s + 1] - first;
        std::size_t const stride = padded<R>(n);
        View<R const> const rows = saved.qkv.middle_rows(first, n);
        View<R> const grads = dqkv.middle_rows(first, n);
        for (std::size_t h = 0; h < heads_; ++h, next += n * stride) {
            View<R const> const p{next, n, n, stride};
            View<R const> const dhead = dout.middle_rows(first, n).columns(h * d, d);
            View<R const> const q = rows.columns(h * d, d);
            View<R const> const k = rows.columns(width + h * d, d);
            View<R const> const v = rows.columns(2 * width + h * d, d);
            View<R> const ds{workspace.scores(), n, stride, stride};
            multiply(dhead, false, workspace.transposed(v), ds);
            kernels<R>().softmax_backward({p.data, n, stride, stride}, {ds.data, n, stride, stride});
            multiply(p, true, workspace.plain(dhead), grads.columns(2 * width + h * d, d));
            multiply<R>(ds.columns(0, n), false, workspace.plain(k), grads.columns(h * d, d), scale);
            multiply<R>(ds.columns(0, n), true, workspace.plain(q), grads.columns(width + h * d, d), scale);
        }
    }
    arena.release(mark);
}

template class SelfAttention<float>;
template class SelfAttention<double>;

} // namespace cax::nn
