#include "cax/nn/pointer_tape.hpp"

#include "kernels.hpp"
#include "right_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax::nn {
namespace {

/// Queries per block: what one needs on the way back should stay in the second-level cache.
constexpr std::size_t block_rows = 128;

} // namespace

/// A few steps' queries. Heads' probabilities stand one head after the other, `capacity` rows each.
template <class R> struct PointerTape<R>::Block {
    std::size_t capacity = 0, rows = 0;
    View<R> queries, attended;
    R* probabilities = nullptr;
    View<R> slopes, log_probs;

    [[nodiscard]] View<R> head(std::size_t h, std::size_t first, std::size_t count) const {
        return {probabilities + (h * capacity + first) * slopes.cols, count, slopes.cols, slopes.cols};
    }
};

/// The nodes' side of every product, packed once.
template <class R> struct PointerTape<R>::Factors {
    struct Head {
        Right<R> keys_across, keys, values_across, values; ///< "across": transposed
    };
    std::vector<Head> heads;
    Right<R> logits_across, logits;
};

template <class R>
PointerTape<R>::PointerTape(std::size_t heads, Squash<R> squash)
    : heads_(heads), squash_(squash), factors_(std::make_unique<Factors>()) {}
template <class R> PointerTape<R>::~PointerTape() = default;

template <class R> void PointerTape<R>::begin(View<R const> keys, View<R const> values, View<R const> logit_keys) {
    assert(keys.rows == values.rows && keys.rows == logit_keys.rows && keys.cols % heads_ == 0);
    arena_.reset();
    blocks_.clear();
    queries_ = asked_ = 0;
    keys_ = keys;
    values_ = values;
    logit_keys_ = logit_keys;
    cols_ = padded<R>(keys.rows);
    std::size_t const d = keys.cols / heads_;
    factors_->heads.clear();
    for (std::size_t c = 0; c < keys.cols; c += d)
        factors_->heads.push_back({pack(keys.columns(c, d), true, arena_), plain(keys.columns(c, d), arena_),
                                   pack(values.columns(c, d), true, arena_), plain(values.columns(c, d), arena_)});
    factors_->logits_across = pack(logit_keys, true, arena_);
    factors_->logits = plain(logit_keys, arena_);
}

template <class R> auto PointerTape<R>::room_for(std::size_t count) -> Block& {
    if (!blocks_.empty() && blocks_.back().rows + count <= blocks_.back().capacity) return blocks_.back();
    Block block;
    block.capacity = std::max(count, block_rows);
    block.queries = arena_.matrix<R>(block.capacity, keys_.cols);
    block.attended = arena_.matrix<R>(block.capacity, keys_.cols);
    block.probabilities = arena_.make<R>(heads_ * block.capacity * cols_);
    block.slopes = arena_.matrix<R>(block.capacity, cols_);
    block.log_probs = arena_.matrix<R>(block.capacity, cols_);
    return blocks_.emplace_back(block);
}

template <class R> View<R> PointerTape<R>::ask(std::size_t count) {
    assert(asked_ == 0);
    Block& block = room_for(count);
    block.rows += count;
    queries_ += count;
    asked_ = count;
    return block.queries.middle_rows(block.rows - count, count);
}

template <class R> View<R const> PointerTape<R>::answer(std::span<std::uint8_t const* const> masks) {
    Block& block = blocks_.back();
    std::size_t const count = asked_, first = block.rows - count, nodes = keys_.rows, d = keys_.cols / heads_;
    assert(masks.size() == count);
    asked_ = 0;
    scratch_.reset();
    View<R> const hidden = scratch_.matrix<R>(count, cols_);
    for (std::size_t i = 0; i < count; ++i) {
        kernels<R>().hide(masks[i], nodes, hidden.row(i));
        std::fill(hidden.row(i) + nodes, hidden.row(i) + cols_, -std::numeric_limits<R>::infinity());
    }

    View<R const> const queries = block.queries.middle_rows(first, count);
    View<R> const attended = block.attended.middle_rows(first, count);
    R const scale = R{1} / std::sqrt(static_cast<R>(d));
    for (std::size_t h = 0; h < heads_; ++h) {
        View<R> const p = block.head(h, first, count);
        Product<R> scores = product(queries.columns(h * d, d), false, factors_->heads[h].keys_across, p, scale);
        scores.residual = hidden.data;
        scores.residual_stride = hidden.stride;
        kernels<R>().multiply(scores);
        kernels<R>().softmax({p.data, p.rows, p.cols, p.stride});
        kernels<R>().multiply(
            product<R>(p.columns(0, nodes), false, factors_->heads[h].values, attended.columns(h * d, d)));
    }

    View<R> const logits = block.slopes.middle_rows(first, count),
                  log_probs = block.log_probs.middle_rows(first, count);
    R const logit_scale = R{1} / std::sqrt(static_cast<R>(keys_.cols));
    kernels<R>().multiply(product<R>(attended, false, factors_->logits_across, logits, logit_scale));
    kernels<R>().pointer_softmax({count, cols_, logits.data, hidden.data, squash_.clip, squash_.temperature},
                                 log_probs.data);
    return log_probs;
}

template <class R>
void PointerTape<R>::backward(std::span<R const> weights, R entropy_weight, Gradient const& gradient,
                              View<R> dqueries) {
    assert(weights.size() == queries_ * keys_.rows && dqueries.rows == queries_ && asked_ == 0);
    std::size_t first = 0;
    for (Block const& block : blocks_) {
        scratch_.reset();
        block_backward(block, weights.data() + first * keys_.rows, entropy_weight, gradient,
                       dqueries.middle_rows(first, block.rows));
        first += block.rows;
    }
}

/// The equations of Glimpse::backward and pointer_logits_backward, with one side of every product packed beforehand.
template <class R>
void PointerTape<R>::block_backward(Block const& block, R const* weights, R entropy_weight, Gradient const& gradient,
                                    View<R> dqueries) {
    std::size_t const count = block.rows, nodes = keys_.rows, d = keys_.cols / heads_;
    View<R> const dlogits = scratch_.matrix<R>(count, cols_);
    View<R> const whole_rows = scratch_.zeros<R>(count, cols_);
    for (std::size_t i = 0; i < count; ++i) std::copy_n(weights + i * nodes, nodes, whole_rows.row(i));
    kernels<R>().pointer_softmax_backward({block.slopes.data, count, cols_, cols_}, block.log_probs.data,
                                          whole_rows.data, entropy_weight, dlogits.data);
    View<R const> const attended = block.attended.middle_rows(0, count);
    View<R const> const at_nodes = dlogits.columns(0, nodes);
    View<R> const dattended = scratch_.matrix<R>(count, keys_.cols);
    R const logit_scale = R{1} / std::sqrt(static_cast<R>(keys_.cols));
    kernels<R>().multiply(product(at_nodes, false, factors_->logits, dattended, logit_scale));
    kernels<R>().multiply(product(at_nodes, true, plain(attended, scratch_), gradient.logit_keys, logit_scale, true));

    View<R const> const queries = block.queries.middle_rows(0, count);
    View<R> const ds = scratch_.matrix<R>(count, cols_);
    R const scale = R{1} / std::sqrt(static_cast<R>(d));
    for (std::size_t h = 0; h < heads_; ++h) {
        typename Factors::Head const& factors = factors_->heads[h];
        View<R const> const p = block.head(h, 0, count), dy = dattended.columns(h * d, d);
        Arena::Mark const mark = scratch_.mark();
        kernels<R>().multiply(
            product<R>(p.columns(0, nodes), true, plain(dy, scratch_), gradient.values.columns(h * d, d), R{1}, true));
        kernels<R>().multiply(product(dy, false, factors.values_across, ds));
        kernels<R>().softmax_backward({p.data, p.rows, p.cols, p.stride}, {ds.data, ds.rows, ds.cols, ds.stride});
        View<R const> const ds_nodes = ds.columns(0, nodes);
        kernels<R>().multiply(product(ds_nodes, false, factors.keys, dqueries.columns(h * d, d), scale));
        kernels<R>().multiply(product(ds_nodes, true, plain(queries.columns(h * d, d), scratch_),
                                      gradient.keys.columns(h * d, d), scale, true));
        scratch_.release(mark);
    }
}

template class PointerTape<float>;
template class PointerTape<double>;

} // namespace cax::nn
