#pragma once
// All pairs of two kinds of rows, left and right (operations and machines, jobs and machines), head by head: dot
// products, weighted sums, softmaxes over either side. What attention between two small sets of rows is made of.
//
// Rows of several states are stacked; every function works on one state. Values that belong to pairs stand in a matrix
// with one row per pair, left-major, and one column per head. Rows of either kind have heads side by side: head h owns
// cols / heads consecutive columns.
#include "cax/nn/arena.hpp"
#include "cax/nn/view.hpp"

namespace cax::nn {

/// One state's rows.
struct PairState {
    std::size_t first_left = 0, first_right = 0, first_pair = 0;
    std::size_t left = 0, right = 0;
    [[nodiscard]] std::size_t pairs() const { return left * right; }
};

/// Row offsets of the stacked states.
struct PairSegments {
    Segments left, right, pairs;
    [[nodiscard]] std::size_t states() const { return pairs.size() - 1; }
    [[nodiscard]] PairState state(std::size_t s) const {
        return {left[s], right[s], pairs[s], left[s + 1] - left[s], right[s + 1] - right[s]};
    }
};

/// Offsets of the pairs that belong to given rows, in arena memory.
[[nodiscard]] PairSegments make_pairs(Segments left, Segments right, Arena& arena);

/// What a result does with what its memory holds.
enum class Write { over, add };

/// out(i, j)_h = factor * <a_i, b_j>_h
template <class R>
void pair_dots(PairState const& state, View<R const> a, View<R const> b, R factor, View<R> out, Arena& arena,
               Write write = Write::over);

/// out_i = factor * sum_j weights(i, j)_h b_j, for left rows i
template <class R>
void sum_over_right(PairState const& state, View<R const> weights, View<R const> b, R factor, View<R> out,
                    Write write = Write::over);
/// out_j = factor * sum_i weights(i, j)_h a_i, for right rows j
template <class R>
void sum_over_left(PairState const& state, View<R const> weights, View<R const> a, R factor, View<R> out,
                   Write write = Write::over);

/// p = softmax(scale * z) over the right rows of each left row; scale > 0, and matrices without gaps, here and below.
template <class R> void softmax_over_right(PairState const& state, View<R const> z, R scale, View<R> p);
/// The same over the left rows of each right row.
template <class R> void softmax_over_left(PairState const& state, View<R const> z, R scale, View<R> p);

/// dz += p * (dp - <p, dp>), where z is what was scaled already.
template <class R>
void softmax_over_right_backward(PairState const& state, View<R const> p, View<R const> dp, View<R> dz);
template <class R>
void softmax_over_left_backward(PairState const& state, View<R const> p, View<R const> dp, View<R> dz);

} // namespace cax::nn
