#pragma once
// Right factors of the products that glimpses and pointers are made of: small pieces of a state's keys and values, read
// in place where their columns fill whole vectors and packed otherwise.
#include "cax/nn/arena.hpp"
#include "cax/nn/view.hpp"
#include "kernels.hpp"

namespace cax::nn {

/// n, rounded up to whole vectors.
template <class R> [[nodiscard]] std::size_t padded(std::size_t n) {
    std::size_t const width = kernels<R>().width;
    return (n + width - 1) / width * width;
}

/// A right factor in panels: read where it is if its columns fill whole vectors, else a packed copy.
template <class R> struct Right {
    R const* data;
    std::size_t stride, panel_stride;
};

template <class R> [[nodiscard]] Right<R> pack(View<R const> b, bool transposed, Arena& arena) {
    std::size_t const panel = kernels<R>().panel;
    std::size_t const inner = transposed ? b.cols : b.rows, cols = transposed ? b.rows : b.cols;
    R* const memory = arena.make<R>((cols + panel - 1) / panel * panel * inner);
    kernels<R>().pack(b.data, b.stride, inner, cols, transposed, memory);
    return {memory, panel, panel * inner};
}
template <class R> [[nodiscard]] Right<R> plain(View<R const> b, Arena& arena) {
    if (b.cols % kernels<R>().width == 0) return {b.data, b.stride, kernels<R>().panel};
    return pack(b, false, arena);
}

/// c = scale * a b (+ c), a may be transposed. c may be wider than b: padding columns of a packed b are 0.
template <class R>
[[nodiscard]] Product<R> product(View<R const> a, bool transposed, Right<R> b, View<R> c, R scale = R{1},
                                 bool accumulate = false) {
    return {.rows = c.rows,
            .inner = transposed ? a.rows : a.cols,
            .cols = c.cols,
            .a = a.data,
            .a_stride = a.stride,
            .a_transposed = transposed,
            .b = b.data,
            .b_stride = b.stride,
            .panel_stride = b.panel_stride,
            .c = c.data,
            .c_stride = c.stride,
            .scale = scale,
            .accumulate = accumulate};
}

} // namespace cax::nn
