#pragma once
// The inner loops of the engine, compiled once per instruction set and chosen when the program starts. Everything here
// is plain pointers and numbers: the sources behind it are built with wider instructions than the rest of the program,
// so they must not instantiate any inline function that the linker could share with it.
#include <cstddef>
#include <cstdint>

namespace cax::nn {

/// C = epilogue(A B) or epilogue(A^T B) on raw memory. B comes in panels of `panel` columns (KernelTable::panel); row k
/// of panel p starts at b + p * panel_stride + k * b_stride.
template <class R> struct Product {
    std::size_t rows = 0, inner = 0, cols = 0;
    R const* a = nullptr; ///< rows x inner, or inner x rows if a_transposed
    std::size_t a_stride = 0;
    bool a_transposed = false;
    R const* b = nullptr;
    std::size_t b_stride = 0;
    std::size_t panel_stride = 0;
    R* c = nullptr;
    std::size_t c_stride = 0;
    // The epilogue: relu(scale * AB + bias + residual (+ C)), 0 where the gate is not positive.
    R scale = R{1};
    R const* bias = nullptr;
    R const* residual = nullptr;
    std::size_t residual_stride = 0;
    R const* gate = nullptr;
    std::size_t gate_stride = 0;
    bool accumulate = false;
    bool relu = false;
};

/// A block of rows x cols values for the element-wise loops.
template <class R> struct Block {
    R* data = nullptr;
    std::size_t rows = 0, cols = 0, stride = 0;
};

/// `count` matrices of rows x cols values, one after the other.
struct ColumnBlocks {
    std::size_t count = 0, rows = 0, cols = 0;
};

/// out(i, j)_h = factor * <a_i, b_j> over the channels of head h, for all pairs of rows, pair (i, j) in row
/// i * b_rows + j of out.
template <class R> struct HeadDots {
    std::size_t heads = 0, dim = 0;
    R const* a = nullptr;
    std::size_t a_rows = 0, a_stride = 0;
    R const* b = nullptr;
    std::size_t b_rows = 0, b_stride = 0;
    R factor = R{1};
    bool accumulate = false;
    R* out = nullptr;
    std::size_t out_stride = 0;
    R* scratch = nullptr; ///< (a_rows + b_rows) * heads * dim values
};

/// out_t = factor * sum over sources s of weights(t, s)_h * x_s, in the channels of every head h. weights(t, s) starts
/// at weights + t * target_step + s * source_step.
template <class R> struct HeadMix {
    std::size_t heads = 0, dim = 0, targets = 0, sources = 0;
    R const* weights = nullptr;
    std::size_t target_step = 0, source_step = 0;
    R const* x = nullptr;
    std::size_t x_stride = 0;
    R factor = R{1};
    bool accumulate = false;
    R* out = nullptr;
    std::size_t out_stride = 0;
};

/// A row of logits on its way to log-probabilities: clip * tanh (unless clip <= 0), mask (1 = allowed; may be null),
/// temperature.
template <class R> struct LogSoftmax {
    std::size_t count = 0;
    R const* logits = nullptr;
    std::uint8_t const* mask = nullptr;
    R clip = R{0};
    R temperature = R{1};
};

/// Rows of logits over the same keys, padded to whole vectors. `hidden` is 0 where a key is visible and -infinity
/// elsewhere; clip and temperature as in LogSoftmax.
template <class R> struct PointerRows {
    std::size_t rows = 0, cols = 0; ///< cols: a multiple of the width; the stride of everything here
    R* logits = nullptr;            ///< in: logits; out: d (clipped logit / temperature) / d logit
    R const* hidden = nullptr;
    R clip = R{0};
    R temperature = R{1};
};

/// A few scattered rows against a few targets; channel i of head h at i * heads + h (cax/nn/mixture.hpp).
template <class R> struct RowMix {
    std::size_t heads = 0, dim = 0, sources = 0, targets = 0;
    R const* const* rows = nullptr;
};

template <class R> struct KernelTable {
    std::size_t width; ///< values per vector: a C padded to whole vectors is written fastest
    std::size_t panel; ///< columns per panel of a packed right factor
    void (*multiply)(Product<R> const&);
    /// Packs B (inner x cols) into panels padded with zeros; `transposed`: from a cols x inner matrix.
    void (*pack)(R const* b, std::size_t stride, std::size_t inner, std::size_t cols, bool transposed, R* panels);
    /// exp(x) for x <= 0 in place; results below the smallest normal number are 0.
    void (*exponential)(R* values, std::size_t count);
    /// Row-wise softmax in place; -infinity gives exactly 0, a row of nothing else gives zeros.
    void (*softmax)(Block<R> rows);
    /// dp = p * (dp - <p, dp>) row by row.
    void (*softmax_backward)(Block<R const> p, Block<R> dp);
    /// out[c] += sum over rows of x, or of x * y if y.
    void (*column_sums)(Block<R const> x, R const* y, std::size_t y_stride, R* out);
    /// h = (x - mean) * inverse, y = h * weight + bias, per channel; h is stored if not null. y may be x.
    void (*normalise)(Block<R const> x, R const* mean, R const* inverse, R const* weight, R const* bias, R* h, R* y,
                      std::size_t y_stride);
    /// out[c] += sum over rows of (x - mean[c])^2.
    void (*column_squares)(Block<R const> x, R const* mean, R* out);
    /// dx = a * dy + b + c * h per channel. dx may be dy. Without h: dx = a * dy.
    void (*normalise_backward)(Block<R const> dy, R const* h, R const* a, R const* b, R const* c, R* dx,
                               std::size_t dx_stride);
    /// p = softmax of scale * z down every column of every block.
    void (*softmax_columns)(ColumnBlocks blocks, R const* z, R scale, R* p);
    /// dz += p * (dp - <p, dp>) column by column.
    void (*softmax_columns_backward)(ColumnBlocks blocks, R const* p, R const* dp, R* dz);
    /// -infinity where the mask forbids.
    void (*log_softmax)(LogSoftmax<R> const& row, R* log_probs);
    /// dlogits from weights = d objective / d log_probs; 0 where the mask forbids, whatever the weight there.
    void (*log_softmax_backward)(LogSoftmax<R> const& row, R const* log_probs, R const* weights, R* dlogits);
    /// y += a * x, `count` values.
    void (*add_scaled)(R a, R const* x, R* y, std::size_t count);
    /// out = 0 where mask[j] is set, -infinity elsewhere, for `count` keys.
    void (*hide)(std::uint8_t const* mask, std::size_t count, R* out);
    /// -infinity where hidden.
    void (*pointer_softmax)(PointerRows<R> const& rows, R* log_probs);
    /// dlogits of sum_i (sum_j weights(i, j) * log_probs(i, j) + entropy_weight * entropy of row i), where the slopes
    /// are what pointer_softmax left behind. Weights are 0 where the mask forbids.
    void (*pointer_softmax_backward)(Block<R const> slopes, R const* log_probs, R const* weights, R entropy_weight,
                                     R* dlogits);
    void (*dot_heads)(HeadDots<R> const&);
    void (*mix_heads)(HeadMix<R> const&);
    void (*mix_rows)(RowMix<R> const&, R const* weights, R* out);
    void (*mix_rows_backward)(RowMix<R> const&, R const* weights, R const* dout, R* dweights, R* const* drows);
    void (*compare_rows)(RowMix<R> const&, R const* y, R factor, R* dots);
    void (*compare_rows_backward)(RowMix<R> const&, R const* y, R factor, R const* ddots, R* dy, R* const* drows);
};

struct KernelSet {
    char const* name;
    KernelTable<float> single;
    KernelTable<double> twice;
};

/// The sets that this build has and this processor runs, widest first; `generic` is always the last.
struct KernelSets {
    KernelSet const* sets[3];
    std::size_t count;
};
[[nodiscard]] KernelSets supported_kernels();

/// The set in use.
[[nodiscard]] KernelSet const& kernel_set();
template <class R> [[nodiscard]] KernelTable<R> const& kernels();
template <> inline KernelTable<float> const& kernels<float>() { return kernel_set().single; }
template <> inline KernelTable<double> const& kernels<double>() { return kernel_set().twice; }

} // namespace cax::nn
