#include "cax/nn/pointer.hpp"

#include "kernels.hpp"
#include "right_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax::nn {
namespace {

/// Consecutive queries that look at the same state: their products are done together. What a query gets does not
/// depend on how long its run is.
struct Run {
    std::size_t first = 0, count = 0; ///< queries
    std::size_t key = 0, keys = 0;    ///< rows of the keys
};

template <class Work> void for_runs(Sight const& sight, Work const& work) {
    for (std::size_t i = 0, end = 0; i < sight.queries(); i = end) {
        for (end = i + 1; end < sight.queries() && sight.rows[end] == sight.rows[i];) ++end;
        work(Run{i, end - i, sight.first(i), sight.count(i)});
    }
}

/// 0 where a query of the run sees a key, -infinity elsewhere and in the padding.
template <class R> View<R> hidden_keys(Sight const& sight, Run const& run, Arena& arena) {
    View<R> const hidden = arena.matrix<R>(run.count, padded<R>(run.keys));
    for (std::size_t i = 0; i < run.count; ++i) {
        std::uint8_t const* const mask = sight.mask(run.first + i);
        R* const row = hidden.row(i);
        std::fill_n(row, hidden.cols, -std::numeric_limits<R>::infinity());
        for (std::size_t j = 0; j < run.keys; ++j)
            if (!mask || mask[j]) row[j] = R{0};
    }
    return hidden;
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
    std::size_t const d = queries.cols / heads_;
    R const scale = R{1} / std::sqrt(static_cast<R>(d));
    auto const offsets = pair_offsets(sight, arena);
    std::size_t size = 0;
    for_runs(sight, [&](Run const& run) { size += heads_ * run.count * padded<R>(run.keys); });
    R* const probabilities = arena.make<R>(size);
    R* next = probabilities;
    Arena::Mark const mark = arena.mark();
    for_runs(sight, [&](Run const& run) {
        View<R const> const q = queries.middle_rows(run.first, run.count);
        View<R const> const k = keys.middle_rows(run.key, run.keys), v = values.middle_rows(run.key, run.keys);
        View<R> const y = out.middle_rows(run.first, run.count);
        View<R> const hidden = hidden_keys<R>(sight, run, arena);
        for (std::size_t c = 0; c < queries.cols; c += d, next += run.count * hidden.cols) {
            View<R> const p{next, run.count, hidden.cols, hidden.cols};
            Product<R> scores = product(q.columns(c, d), false, pack(k.columns(c, d), true, arena), p, scale);
            scores.residual = hidden.data;
            scores.residual_stride = hidden.stride;
            kernels<R>().multiply(scores);
            kernels<R>().softmax({p.data, p.rows, p.cols, p.stride});
            kernels<R>().multiply(
                product<R>(p.columns(0, run.keys), false, plain(v.columns(c, d), arena), y.columns(c, d)));
        }
        arena.release(mark);
    });
    return {queries, keys, values, offsets, probabilities};
}

template <class R>
void Glimpse<R>::backward(Saved const& saved, Sight const& sight, View<R const> dout, View<R> dqueries, View<R> dkeys,
                          View<R> dvalues, Arena& arena) const {
    std::size_t const d = saved.queries.cols / heads_;
    R const scale = R{1} / std::sqrt(static_cast<R>(d));
    R const* next = saved.probabilities;
    Arena::Mark const mark = arena.mark();
    for_runs(sight, [&](Run const& run) {
        auto const mine = [&](auto rows) { return rows.middle_rows(run.first, run.count); };
        auto const theirs = [&](auto rows) { return rows.middle_rows(run.key, run.keys); };
        View<R> const ds = arena.matrix<R>(run.count, padded<R>(run.keys));
        for (std::size_t c = 0; c < saved.queries.cols; c += d, next += run.count * ds.cols) {
            View<R const> const p{next, run.count, ds.cols, ds.cols};
            View<R const> const q = mine(saved.queries).columns(c, d), dy = mine(dout).columns(c, d);
            View<R const> const k = theirs(saved.keys).columns(c, d), v = theirs(saved.values).columns(c, d);
            // dv += p^T dy, dp = dy v^T, ds = p (dp - <p, dp>)
            kernels<R>().multiply(
                product(p.columns(0, run.keys), true, plain(dy, arena), theirs(dvalues).columns(c, d), R{1}, true));
            kernels<R>().multiply(product(dy, false, pack(v, true, arena), ds));
            kernels<R>().softmax_backward({p.data, p.rows, p.cols, p.stride}, {ds.data, ds.rows, ds.cols, ds.stride});
            // dq = ds k, dk += ds^T q
            View<R const> const ds_keys = ds.columns(0, run.keys);
            kernels<R>().multiply(product(ds_keys, false, plain(k, arena), mine(dqueries).columns(c, d), scale));
            kernels<R>().multiply(product(ds_keys, true, plain(q, arena), theirs(dkeys).columns(c, d), scale, true));
        }
        arena.release(mark);
    });
}

template <class R>
void pointer_logits(View<R const> queries, View<R const> keys, Sight const& sight, std::span<std::size_t const> offsets,
                    R scale, R* logits, Arena& arena) {
    Arena::Mark const mark = arena.mark();
    for_runs(sight, [&](Run const& run) {
        // Whole vectors are written fastest: into a padded matrix first, then where they belong.
        View<R> const wide = arena.matrix<R>(run.count, padded<R>(run.keys));
        kernels<R>().multiply(product(queries.middle_rows(run.first, run.count), false,
                                      pack(keys.middle_rows(run.key, run.keys), true, arena), wide, scale));
        for (std::size_t i = 0; i < run.count; ++i) std::copy_n(wide.row(i), run.keys, logits + offsets[run.first + i]);
        arena.release(mark);
    });
}

template <class R>
void pointer_logits_backward(View<R const> queries, View<R const> keys, Sight const& sight,
                             std::span<std::size_t const> offsets, R scale, R const* dlogits, View<R> dqueries,
                             View<R> dkeys, Arena& arena) {
    Arena::Mark const mark = arena.mark();
    for_runs(sight, [&](Run const& run) {
        View<R const> const q = queries.middle_rows(run.first, run.count);
        View<R const> const k = keys.middle_rows(run.key, run.keys);
        View<R const> const d{dlogits + offsets[run.first], run.count, run.keys, run.keys};
        kernels<R>().multiply(product(d, false, plain(k, arena), dqueries.middle_rows(run.first, run.count), scale));
        kernels<R>().multiply(product(d, true, plain(q, arena), dkeys.middle_rows(run.key, run.keys), scale, true));
        arena.release(mark);
    });
}

template <class R>
void log_softmax(R const* logits, std::uint8_t const* mask, std::size_t n, Squash<R> const& squash, R* log_probs) {
    kernels<R>().log_softmax({n, logits, mask, squash.clip, squash.temperature}, log_probs);
}

template <class R>
void log_softmax_backward(R const* logits, R const* log_probs, R const* weights, std::uint8_t const* mask,
                          std::size_t n, Squash<R> const& squash, R* dlogits) {
    kernels<R>().log_softmax_backward({n, logits, mask, squash.clip, squash.temperature}, log_probs, weights, dlogits);
}

template class Glimpse<float>;
template class Glimpse<double>;
#define CAX_INSTANTIATE(R)                                                                                             \
    template void pointer_logits(View<R const>, View<R const>, Sight const&, std::span<std::size_t const>, R, R*,      \
                                 Arena&);                                                                              \
    template void pointer_logits_backward(View<R const>, View<R const>, Sight const&, std::span<std::size_t const>, R, \
                                          R const*, View<R>, View<R>, Arena&);                                         \
    template void log_softmax(R const*, std::uint8_t const*, std::size_t, Squash<R> const&, R*);                       \
    template void log_softmax_backward(R const*, R const*, R const*, std::uint8_t const*, std::size_t,                 \
                                       Squash<R> const&, R*);
CAX_INSTANTIATE(float)
CAX_INSTANTIATE(double)
#undef CAX_INSTANTIATE

} // namespace cax::nn
