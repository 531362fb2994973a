#include "cax/nn/pointer.hpp"

#include "cax/nn/blocks.hpp"

#include <cmath>
#include <limits>

namespace cax::nn {
namespace {

/// Four interleaved sums, always in the same order: fast, and the same bits wherever the row lies.
template <class R> R dot(R const* a, R const* b, std::size_t n) {
    R sums[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[i + lane] * b[i + lane];
    for (; i < n; ++i) sums[0] += a[i] * b[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class R> void add_scaled(R scale, R const* x, R* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] += scale * x[i];
}

} // namespace

std::span<std::size_t const> pair_offsets(Sight const& sight, Arena& arena) {
    std::size_t* const offsets = arena.make<std::size_t>(sight.queries() + 1);
    offsets[0] = 0;
    for (std::size_t i = 0; i < sight.queries(); ++i) offsets[i + 1] = offsets[i] + sight.count(i);
    return {offsets, sight.queries() + 1};
}

template <class R>
typename Glimpse<R>::Saved Glimpse<R>::forward(View<R const> queries, View<R const> keys, View<R const> values,
                                               Sight const& sight, View<R> out, Arena& arena) const {
    std::size_t const width = queries.cols / heads_;
    R const scale = R{1} / std::sqrt(static_cast<R>(width));
    auto const offsets = pair_offsets(sight, arena);
    R* const probabilities = arena.make<R>(heads_ * offsets.back());
    for (std::size_t i = 0; i < sight.queries(); ++i) {
        std::size_t const n = sight.count(i), first = sight.first(i);
        std::uint8_t const* const mask = sight.mask(i);
        for (std::size_t head = 0; head < heads_; ++head) {
            std::size_t const column = head * width;
            R* const p = probabilities + heads_ * offsets[i] + head * n;
            for (std::size_t j = 0; j < n; ++j)
                p[j] = mask && !mask[j] ? -std::numeric_limits<R>::infinity()
                                        : scale * dot(queries.row(i) + column, keys.row(first + j) + column, width);
            softmax(p, n);
            R* const y = out.row(i) + column;
            for (std::size_t c = 0; c < width; ++c) y[c] = R{0};
            for (std::size_t j = 0; j < n; ++j)
                if (p[j] != R{0}) add_scaled(p[j], values.row(first + j) + column, y, width);
        }
    }
    return {queries, keys, values, offsets, probabilities};
}

template <class R>
void Glimpse<R>::backward(Saved const& saved, Sight const& sight, View<R const> dout, View<R> dqueries, View<R> dkeys,
                          View<R> dvalues, Arena& arena) const {
    std::size_t const width = saved.queries.cols / heads_;
    R const scale = R{1} / std::sqrt(static_cast<R>(width));
    std::size_t longest = 0;
    for (std::size_t i = 0; i < sight.queries(); ++i) longest = std::max(longest, sight.count(i));
    R* const ds = arena.make<R>(longest);
    for (std::size_t i = 0; i < sight.queries(); ++i) {
        std::size_t const n = sight.count(i), first = sight.first(i);
        for (std::size_t head = 0; head < heads_; ++head) {
            std::size_t const column = head * width;
            R const* const p = saved.probabilities + heads_ * saved.offsets[i] + head * n;
            R const* const dy = dout.row(i) + column;
            R* const dq = dqueries.row(i) + column;
            for (std::size_t j = 0; j < n; ++j) {
                ds[j] = R{0};
                if (p[j] == R{0}) continue;
                ds[j] = dot(dy, saved.values.row(first + j) + column, width);
                add_scaled(p[j], dy, dvalues.row(first + j) + column, width);
            }
            softmax_backward(p, ds, n);
            for (std::size_t c = 0; c < width; ++c) dq[c] = R{0};
            for (std::size_t j = 0; j < n; ++j) {
                if (p[j] == R{0}) continue;
                add_scaled(scale * ds[j], saved.keys.row(first + j) + column, dq, width);
                add_scaled(scale * ds[j], saved.queries.row(i) + column, dkeys.row(first + j) + column, width);
            }
        }
    }
}

template <class R>
void pointer_logits(View<R const> queries, View<R const> keys, Sight const& sight, std::span<std::size_t const> offsets,
                    R scale, R* logits) {
    for (std::size_t i = 0; i < sight.queries(); ++i)
        for (std::size_t j = 0; j < sight.count(i); ++j)
            logits[offsets[i] + j] = scale * dot(queries.row(i), keys.row(sight.first(i) + j), queries.cols);
}

template <class R>
void pointer_logits_backward(View<R const> queries, View<R const> keys, Sight const& sight,
                             std::span<std::size_t const> offsets, R scale, R const* dlogits, View<R> dqueries,
                             View<R> dkeys) {
    std::size_t const width = queries.cols;
    for (std::size_t i = 0; i < sight.queries(); ++i) {
        R* const dq = dqueries.row(i);
        for (std::size_t c = 0; c < width; ++c) dq[c] = R{0};
        for (std::size_t j = 0; j < sight.count(i); ++j) {
            R const d = scale * dlogits[offsets[i] + j];
            if (d == R{0}) continue;
            add_scaled(d, keys.row(sight.first(i) + j), dq, width);
            add_scaled(d, queries.row(i), dkeys.row(sight.first(i) + j), width);
        }
    }
}

template <class R>
void log_softmax(R const* logits, std::uint8_t const* mask, std::size_t n, Squash<R> const& squash, R* log_probs) {
    R largest = -std::numeric_limits<R>::infinity();
    for (std::size_t j = 0; j < n; ++j) {
        R const clipped = squash.clip > R{0} ? squash.clip * std::tanh(logits[j]) : logits[j];
        log_probs[j] = mask && !mask[j] ? -std::numeric_limits<R>::infinity() : clipped / squash.temperature;
        largest = std::max(largest, log_probs[j]);
    }
    R sum{0};
    for (std::size_t j = 0; j < n; ++j) sum += std::exp(log_probs[j] - largest);
    R const log_sum = std::log(sum);
    for (std::size_t j = 0; j < n; ++j) log_probs[j] = (log_probs[j] - largest) - log_sum;
}

template <class R>
void log_softmax_backward(R const* logits, R const* log_probs, R const* weights, std::uint8_t const* mask,
                          std::size_t n, Squash<R> const& squash, R* dlogits) {
    R total{0};
    for (std::size_t j = 0; j < n; ++j)
        if (!mask || mask[j]) total += weights[j];
    for (std::size_t j = 0; j < n; ++j) {
        dlogits[j] = R{0};
        if (mask && !mask[j]) continue;
        R const squashed = (weights[j] - std::exp(log_probs[j]) * total) / squash.temperature;
        R const t = std::tanh(logits[j]);
        dlogits[j] = squash.clip > R{0} ? squashed * squash.clip * (R{1} - t * t) : squashed;
    }
}

template class Glimpse<float>;
template class Glimpse<double>;
#define CAX_INSTANTIATE(R)                                                                                             \
    template void pointer_logits(View<R const>, View<R const>, Sight const&, std::span<std::size_t const>, R, R*);     \
    template void pointer_logits_backward(View<R const>, View<R const>, Sight const&, std::span<std::size_t const>, R, \
                                          R const*, View<R>, View<R>);                                                 \
    template void log_softmax(R const*, std::uint8_t const*, std::size_t, Squash<R> const&, R*);                       \
    template void log_softmax_backward(R const*, R const*, R const*, std::uint8_t const*, std::size_t,                 \
                                       Squash<R> const&, R*);
CAX_INSTANTIATE(float)
CAX_INSTANTIATE(double)
#undef CAX_INSTANTIATE

} // namespace cax::nn
