#pragma once
// Attention whose keys and values are mixtures of rows from one table: a few scattered rows (pointers to them) against
// a few targets. Nothing is gathered or copied, and gradients are added to rows where they lie.
//
// Rows and targets have interleaved channels: channel i of head h stands at i * heads + h (interleave_heads()).
#include "cax/nn/view.hpp"

#include <cstddef>
#include <span>

namespace cax::nn {

template <class R> struct Mixture {
    std::size_t heads = 1;
    std::size_t targets = 0;
    std::span<R const* const> rows; ///< heads * dim channels each
    std::size_t dim = 0;            ///< channels per head
};

/// out_t = sum_s weights(s, t)_h rows[s], in the channels of every head h; weights: one value per (s, t, h).
template <class R> void mix_rows(Mixture<R> const& mixture, R const* weights, R* out);
/// Writes dweights, adds to the rows' gradients.
template <class R>
void mix_rows_backward(Mixture<R> const& mixture, R const* weights, R const* dout, R* dweights,
                       std::span<R* const> drows);

/// dots(s, t) = factor * <rows[s], y_t>.
template <class R> void compare_rows(Mixture<R> const& mixture, R const* y, R factor, R* dots);
/// Writes dy, adds to the rows' gradients.
template <class R>
void compare_rows_backward(Mixture<R> const& mixture, R const* y, R factor, R const* ddots, R* dy,
                           std::span<R* const> drows);

/// From heads side by side (head h owns consecutive channels) to interleaved channels, and back (added to `to`).
template <class R> void interleave_heads(View<R const> from, std::size_t heads, View<R> to);
template <class R> void add_separated_heads(View<R const> from, std::size_t heads, View<R> to);

} // namespace cax::nn
