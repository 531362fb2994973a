#pragma once
// The matrix product. C is covered by tiles of up to tile_rows x two vectors
// that stay in registers while k runs from 0 to inner-1: every element of C is
// one chain of fused multiply-adds in that order, whatever tile it falls into.
#include "kernels.hpp"
#include "kernels/vector.hpp"

namespace cax::nn {
namespace {

#ifndef CAX_TILE_ROWS // where this header is compiled by itself
#define CAX_TILE_ROWS 4
#endif
constexpr std::size_t tile_rows = CAX_TILE_ROWS;
template <class R> constexpr std::size_t panel_cols = 2 * width<R>;

/// One tile of C: first row, first column, and where its operands begin.
template <class R> struct Tile {
    std::size_t row, col;
    R const* a;
    R const* b;
};

/// One vector of finished products. Scale and bias come as one fused multiply-add even where there is neither: left
/// apart, the compiler would be free to fuse them in one tile shape and not in another. `get` loads what the epilogue
/// needs from an address.
template <class R, class Get>
CAX_INLINE Vector<R> finish(Product<R> const& p, Vector<R> value, Vector<R> bias, std::size_t row, std::size_t col,
                            Get const& get) {
    value = value * p.scale + bias;
    if (p.residual) value += get(p.residual + row * p.residual_stride + col);
    if (p.accumulate) value += get(p.c + row * p.c_stride + col);
    if (p.relu) value = value < Vector<R>{} ? Vector<R>{} : value;
    if (p.gate) value = get(p.gate + row * p.gate_stride + col) > Vector<R>{} ? value : Vector<R>{};
    return value;
}

/// The ragged right edge of C: `rows` vectors of sums, of which the first `count` values exist.
template <class R>
__attribute__((noinline)) void write_edge(Product<R> const& p, R const* sums, std::size_t rows, std::size_t row,
                                          std::size_t col, std::size_t count) {
    auto const get = [count](R const* from) __attribute__((always_inline)) { return load_part(from, count, R{0}); };
    Vector<R> const bias = p.bias ? get(p.bias + col) : Vector<R>{};
    for (std::size_t i = 0; i < rows; ++i) {
        Vector<R> const value = finish(p, load(sums + i * width<R>), bias, row + i, col, get);
        store_part(p.c + (row + i) * p.c_stride + col, value, count);
    }
}

template <class R, std::size_t Rows, std::size_t Vectors>
CAX_INLINE void write_tile(Product<R> const& p, Tile<R> const& tile, Vector<R> const (&sum)[Rows][Vectors]) {
    // Only the last vector of a tile can stick out. Every index into `sum` is a constant: it lives in registers.
    constexpr std::size_t last = Vectors - 1;
    bool const ragged = tile.col + Vectors * width<R> > p.cols;
    auto const get = [](R const* from) __attribute__((always_inline)) { return load(from); };
    CAX_UNROLL
    for (std::size_t v = 0; v < Vectors; ++v) {
        if (v == last && ragged) continue;
        std::size_t const col = tile.col + v * width<R>;
        Vector<R> const bias = p.bias ? get(p.bias + col) : Vector<R>{};
        CAX_UNROLL
        for (std::size_t i = 0; i < Rows; ++i)
            store(p.c + (tile.row + i) * p.c_stride + col, finish(p, sum[i][v], bias, tile.row + i, col, get));
    }
    if (!ragged) return;
    R sums[Rows * width<R>];
    CAX_UNROLL
    for (std::size_t i = 0; i < Rows; ++i) store(sums + i * width<R>, sum[i][last]);
    std::size_t const col = tile.col + last * width<R>;
    write_edge(p, sums, Rows, tile.row, col, p.cols - col);
}

template <class R, std::size_t Rows, std::size_t Vectors, bool Transposed>
void multiply_tile(Product<R> const& p, Tile<R> const& tile) {
    Vector<R> sum[Rows][Vectors] = {};
    R const* a = tile.a;
    R const* b = tile.b;
    std::size_t const row_step = Transposed ? 1 : p.a_stride;
    std::size_t const k_step = Transposed ? p.a_stride : 1;
    for (std::size_t k = 0; k < p.inner; ++k) {
        Vector<R> right[Vectors];
        CAX_UNROLL
        for (std::size_t v = 0; v < Vectors; ++v) right[v] = load(b + v * width<R>);
        CAX_UNROLL
        for (std::size_t i = 0; i < Rows; ++i) {
            Vector<R> const left = splat(a[i * row_step]);
            CAX_UNROLL
            for (std::size_t v = 0; v < Vectors; ++v) sum[i][v] += left * right[v];
        }
        a += k_step;
        b += p.b_stride;
    }
    write_tile<R, Rows, Vectors>(p, tile, sum);
}

template <class R> using TileFunction = void (*)(Product<R> const&, Tile<R> const&);

/// multiply_tile for 1..tile_rows rows, by rows - 1.
template <class R, std::size_t Vectors, bool Transposed> struct TileFunctions {
    TileFunction<R> by_rows[tile_rows];
    constexpr TileFunctions() : by_rows() { fill<tile_rows>(); }
    template <std::size_t Rows> constexpr void fill() {
        by_rows[Rows - 1] = &multiply_tile<R, Rows, Vectors, Transposed>;
        if constexpr (Rows > 1) fill<Rows - 1>();
    }
};
template <class R, std::size_t Vectors, bool Transposed>
constexpr TileFunctions<R, Vectors, Transposed> tile_functions{};

/// Rows are dealt out evenly (51 = 13 + 13 + 13 + 12), and taken in blocks
/// whose part of A stays in the second-level cache while every panel of B
/// passes over it.
template <class R, bool Transposed> void multiply_all(Product<R> const& p) {
    std::size_t const tiles = (p.rows + tile_rows - 1) / tile_rows;
    constexpr std::size_t block_bytes = std::size_t{1} << 18;
    std::size_t const tile_bytes = tile_rows * (p.inner + 1) * sizeof(R);
    std::size_t const tiles_per_block = block_bytes / tile_bytes + 1;
    for (std::size_t first = 0; first < tiles; first += tiles_per_block) {
        std::size_t const last = first + tiles_per_block < tiles ? first + tiles_per_block : tiles;
        for (std::size_t col = 0; col < p.cols; col += panel_cols<R>) {
            bool const wide = p.cols - col > width<R>;
            R const* const b = p.b + col / panel_cols<R> * p.panel_stride;
            for (std::size_t t = first; t < last; ++t) {
                std::size_t const row = p.rows * t / tiles;
                std::size_t const count = p.rows * (t + 1) / tiles - row;
                Tile<R> const tile{row, col, p.a + row * (Transposed ? 1 : p.a_stride), b};
                if (wide)
                    tile_functions<R, 2, Transposed>.by_rows[count - 1](p, tile);
                else
                    tile_functions<R, 1, Transposed>.by_rows[count - 1](p, tile);
            }
        }
    }
}

template <class R> void multiply_product(Product<R> const& p) {
    if (p.a_transposed)
        multiply_all<R, true>(p);
    else
        multiply_all<R, false>(p);
}

/// Rows col .. col+count-1 of b become the columns of a panel, a square of
/// vectors at a time.
template <class R>
CAX_INLINE void pack_transposed_panel(R const* b, std::size_t stride, std::size_t inner, std::size_t count, R* panel) {
    std::size_t const whole = inner / width<R> * width<R>;
    for (std::size_t j = 0; j < panel_cols<R>; j += width<R>) {
        for (std::size_t k = 0; k < whole; k += width<R>) {
            Vector<R> rows[width<R>];
            CAX_UNROLL
            for (std::size_t i = 0; i < width<R>; ++i)
                rows[i] = j + i < count ? load(b + (j + i) * stride + k) : Vector<R>{};
            transpose<R>(rows);
            CAX_UNROLL
            for (std::size_t i = 0; i < width<R>; ++i) store(panel + (k + i) * panel_cols<R> + j, rows[i]);
        }
        for (std::size_t k = whole; k < inner; ++k)
            for (std::size_t i = 0; i < width<R>; ++i)
                panel[k * panel_cols<R> + j + i] = j + i < count ? b[(j + i) * stride + k] : R{0};
    }
}

template <class R>
CAX_INLINE void pack_panel(R const* b, std::size_t stride, std::size_t inner, std::size_t count, R* panel) {
    for (std::size_t k = 0; k < inner; ++k, panel += panel_cols<R>, b += stride) {
        if (count == panel_cols<R>) {
            for (std::size_t j = 0; j < panel_cols<R>; j += width<R>) store(panel + j, load(b + j));
            continue;
        }
        for (std::size_t j = 0; j < panel_cols<R>; ++j) panel[j] = j < count ? b[j] : R{0};
    }
}

template <class R>
void pack_panels(R const* b, std::size_t stride, std::size_t inner, std::size_t cols, bool transposed, R* panels) {
    for (std::size_t col = 0; col < cols; col += panel_cols<R>, panels += inner * panel_cols<R>) {
        std::size_t const count = cols - col < panel_cols<R> ? cols - col : panel_cols<R>;
        if (transposed)
            pack_transposed_panel(b + col * stride, stride, inner, count, panels);
        else
            pack_panel(b + col, stride, inner, count, panels);
    }
}

} // namespace
} // namespace cax::nn
