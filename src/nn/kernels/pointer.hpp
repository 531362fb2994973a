#pragma once
// Log-probabilities over keys that many queries share, whole vectors only: rows are padded and padding is hidden. The
// way back needs no second look at the logits, because the way there leaves their slopes behind.
#include "kernels.hpp"
#include "kernels/log_softmax.hpp"
#include "kernels/softmax.hpp"
#include "kernels/vector.hpp"

namespace cax::nn {
namespace {

template <class R> void hide_keys(std::uint8_t const* mask, std::size_t count, R* out) {
    for (std::size_t j = 0; j < count; ++j) out[j] = mask[j] ? R{0} : -static_cast<R>(__builtin_inff());
}

template <class R> void pointer_softmax_rows(PointerRows<R> const& rows, R* log_probs) {
    R const* hidden = rows.hidden;
    R* logits = rows.logits;
    for (std::size_t i = 0; i < rows.rows; ++i, hidden += rows.cols, logits += rows.cols, log_probs += rows.cols) {
        Vector<R> top = splat(-static_cast<R>(__builtin_inff()));
        for (std::size_t j = 0; j < rows.cols; j += width<R>) {
            Vector<R> l = load(logits + j), slope = splat(R{1});
            if (rows.clip > R{0}) {
                Vector<R> const t = tanh_of(l);
                l = t * rows.clip;
                slope = (R{1} - t * t) * rows.clip;
            }
            l = l / rows.temperature + load(hidden + j);
            store(logits + j, slope / rows.temperature);
            store(log_probs + j, l);
            top = larger<R>(l, top);
        }
        top = largest_of<R>(top);
        Vector<R> total{};
        for (std::size_t j = 0; j < rows.cols; j += width<R>) total += exp_of(load(log_probs + j) - top);
        R const log_total = log_of(sum_of<R>(total)[0]);
        for (std::size_t j = 0; j < rows.cols; j += width<R>)
            store(log_probs + j, (load(log_probs + j) - top) - log_total);
    }
}

template <class R>
void pointer_softmax_rows_backward(Block<R const> slopes, R const* log_probs, R const* weights, R entropy_weight,
                                   R* dlogits) {
    R const* slope = slopes.data;
    for (std::size_t i = 0; i < slopes.rows; ++i, slope += slopes.stride) {
        // d entropy / d logit = -p (log p + entropy), so that the entropy acts like one more weight on every action.
        Vector<R> all{};
        for (std::size_t j = 0; j < slopes.cols; j += width<R>) all += load(weights + j);
        R shift = -sum_of<R>(all)[0];
        if (entropy_weight != R{0}) {
            Vector<R> entropy{};
            for (std::size_t j = 0; j < slopes.cols; j += width<R>) {
                Vector<R> const l = load(log_probs + j), p = exp_of(l);
                entropy -= p > Vector<R>{} ? p * l : Vector<R>{};
            }
            shift -= entropy_weight * sum_of<R>(entropy)[0];
        }
        for (std::size_t j = 0; j < slopes.cols; j += width<R>) {
            Vector<R> const l = load(log_probs + j), p = exp_of(l);
            Vector<R> const pull = p > Vector<R>{} ? p * (shift - l * entropy_weight) : Vector<R>{};
            store(dlogits + j, (load(weights + j) + pull) * load(slope + j));
        }
        weights += slopes.stride;
        log_probs += slopes.stride;
        dlogits += slopes.stride;
    }
}

} // namespace
} // namespace cax::nn
