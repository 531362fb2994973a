#pragma once
// The decoder's last steps: glimpse attention of single queries over the keys of the state each belongs to, logits by
// comparison with logit keys, and the masked, clipped log-softmax that turns logits into log-probabilities. Many
// queries may look at the same state (all steps of an episode); none sees another's numbers.
#include "cax/nn/arena.hpp"
#include "cax/nn/view.hpp"

#include <cstdint>
#include <span>

namespace cax::nn {

/// Whom each query looks at: query i at key rows segments[rows[i]] .. segments[rows[i]+1]-1, of which masks[i] (one
/// byte per key, 1 = visible) hides some. `masks` empty: all visible. Every query must see at least one key.
struct Sight {
    Segments segments;
    std::span<std::size_t const> rows;
    std::span<std::uint8_t const* const> masks;

    [[nodiscard]] std::size_t queries() const { return rows.size(); }
    [[nodiscard]] std::size_t first(std::size_t i) const { return segments[rows[i]]; }
    [[nodiscard]] std::size_t count(std::size_t i) const { return segments[rows[i] + 1] - segments[rows[i]]; }
    [[nodiscard]] std::uint8_t const* mask(std::size_t i) const { return masks.empty() ? nullptr : masks[i]; }
};

/// Start of each query's block in an array with one value per query and key; one more entry at the end.
[[nodiscard]] std::span<std::size_t const> pair_offsets(Sight const& sight, Arena& arena);

/// Multi-head attention without projections: softmax(q_h . k_h / sqrt(d)) v_h, heads side by side.
template <class R> class Glimpse {
public:
    explicit Glimpse(std::size_t heads = 1) : heads_(heads) {}

    struct Saved {
        View<R const> queries, keys, values;
        std::span<std::size_t const> offsets; ///< pair_offsets, which the logits need too
        R const* probabilities = nullptr;     ///< the implementation's business
    };
    /// queries, out: one row each per query; keys, values: one row per node.
    Saved forward(View<R const> queries, View<R const> keys, View<R const> values, Sight const& sight, View<R> out,
                  Arena& arena) const;
    /// Writes dqueries, adds to dkeys and dvalues.
    void backward(Saved const& saved, Sight const& sight, View<R const> dout, View<R> dqueries, View<R> dkeys,
                  View<R> dvalues, Arena& arena) const;

private:
    std::size_t heads_;
};

/// logits[offsets[i] + j] = scale * queries[i] . keys[j] for every key of the state, visible or not.
template <class R>
void pointer_logits(View<R const> queries, View<R const> keys, Sight const& sight, std::span<std::size_t const> offsets,
                    R scale, R* logits, Arena& arena);
/// Writes dqueries, adds to dkeys.
template <class R>
void pointer_logits_backward(View<R const> queries, View<R const> keys, Sight const& sight,
                             std::span<std::size_t const> offsets, R scale, R const* dlogits, View<R> dqueries,
                             View<R> dkeys, Arena& arena);

/// How logits become log-probabilities: l = clip * tanh(logit) (clip <= 0: l = logit), masked, divided by temperature.
template <class R> struct Squash {
    R clip = R{10};
    R temperature = R{1};
};
/// Masked actions get -infinity. A single allowed action gets exactly 0.
template <class R>
void log_softmax(R const* logits, std::uint8_t const* mask, std::size_t n, Squash<R> const& squash, R* log_probs);
/// dlogits from weights = d objective / d log_probs; weights of masked actions are not read, their dlogits are 0.
template <class R>
void log_softmax_backward(R const* logits, R const* log_probs, R const* weights, std::uint8_t const* mask,
                          std::size_t n, Squash<R> const& squash, R* dlogits);

} // namespace cax::nn
