#pragma once
// Glimpse and pointer for many queries at the nodes of ONE state: all decisions of all trajectories of a training
// instance. What the keys and values need is packed once, each step's queries are answered together, and one backward
// pass goes through large blocks of queries whatever step they came from.
//
//     tape.begin(keys, values, logit_keys);
//     per step: fill tape.ask(count); tape.answer(masks);          log-probabilities
//     tape.backward(weights, entropy_weight, gradient, dqueries);
//
// The same numbers as Glimpse, pointer_logits and log_softmax give, up to rounding. A query's answer does not depend on
// the others. Logit keys are compared with the glimpse itself: fold a projection between them into the keys.
#include "cax/nn/arena.hpp"
#include "cax/nn/pointer.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cax::nn {

template <class R> class PointerTape {
public:
    PointerTape(std::size_t heads, Squash<R> squash);
    ~PointerTape();

    /// Forgets all queries. One row per node each; they stay where they are until backward().
    void begin(View<R const> keys, View<R const> values, View<R const> logit_keys);
    /// Room for the queries of the next step, to be filled before answer().
    [[nodiscard]] View<R> ask(std::size_t count);
    /// Log-probabilities of the queries just asked, one row each, the first `nodes` columns meaningful (there may be
    /// more); they live until begin(). masks[i]: one byte per node, 1 = visible, at least one.
    View<R const> answer(std::span<std::uint8_t const* const> masks);
    [[nodiscard]] std::size_t queries() const { return queries_; } ///< asked since begin()

    struct Gradient {
        View<R> keys, values, logit_keys; ///< added to
    };
    /// Of sum_i (sum_j weights(i, j) * log-probability of node j + entropy_weight * entropy), i counting all queries in
    /// order; weights has a number per node for each of them, 0 where its mask hides the node. Writes dqueries (one row
    /// per query).
    void backward(std::span<R const> weights, R entropy_weight, Gradient const& gradient, View<R> dqueries);

private:
    struct Block;
    struct Factors;
    Block& room_for(std::size_t count);
    void block_backward(Block const& block, R const* weights, R entropy_weight, Gradient const& gradient,
                        View<R> dqueries);

    std::size_t heads_;
    Squash<R> squash_;
    View<R const> keys_, values_, logit_keys_;
    std::size_t cols_ = 0; ///< nodes, rounded up to whole vectors
    std::size_t queries_ = 0;
    std::size_t asked_ = 0; ///< of them, waiting for an answer
    Arena arena_;           ///< blocks and packed factors
    Arena scratch_;
    std::unique_ptr<Factors> factors_;
    std::vector<Block> blocks_;
};

} // namespace cax::nn
