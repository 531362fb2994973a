#pragma once
// The fused blocks that networks are made of, each with forward and backward. A block knows where its parameters lie
// and holds packed copies of them; activations live in an Arena. States are stacked row-wise (Segments); no block mixes
// rows of different states, so results do not depend on the batch.
//
// Backward conventions: `dx` receives (or, where said, accumulates) the gradient of the inputs; `gradient` is the flat
// parameter gradient, accumulated into, or empty if only input gradients are wanted.
#include "cax/nn/arena.hpp"
#include "cax/nn/gemm.hpp"
#include "cax/nn/parameters.hpp"
#include "cax/nn/view.hpp"

#include <cstdint>
#include <span>

namespace cax::nn {

/// y = x W^T + b, W stored [out, in] as in rl4co.
template <class R> class Linear {
public:
    Linear() = default;
    /// Declares `name.weight` [out, in] and, if asked for, `name.bias` [out].
    Linear(Parameters<R>& parameters, std::string const& name, std::size_t in, std::size_t out, bool bias);
    /// Reads the current parameter values. Call after loading and after every optimiser step.
    void pack(Parameters<R> const& parameters);
    /// Becomes outer(inner(x)) in one product, with parameters of its own nowhere: for forward() alone.
    void pack_chain(Linear const& inner, Linear const& outer, Parameters<R> const& parameters);

    [[nodiscard]] std::size_t in() const { return in_; }
    [[nodiscard]] std::size_t out() const { return out_; }
    [[nodiscard]] Slice weight() const { return weight_; }
    [[nodiscard]] Slice bias() const { return bias_; }

    /// y = x W^T + b (+ residual), then ReLU if asked for. y may be the residual.
    void forward(View<R const> x, View<R> y, View<R const> residual = {}, bool relu = false) const;
    /// Rows first .. first+count-1 of W and b only (the key block of a q|k|v projection).
    void forward_rows(std::size_t first, std::size_t count, View<R const> x, View<R> y) const;
    /// dx (+)= dy W. If x was the output of a ReLU, pass it as `relu_output`: dx is 0 where it is not positive, which
    /// makes dx the gradient before the ReLU.
    void backward_input(View<R const> dy, View<R> dx, bool accumulate = false, View<R const> relu_output = {}) const;
    /// gradient of W += dy^T x, of b += column sums of dy.
    void backward_parameters(View<R const> x, View<R const> dy, std::span<R> gradient, Arena& arena) const;

private:
    std::size_t in_ = 0;
    std::size_t out_ = 0;
    Slice weight_;
    Slice bias_;
    std::vector<R> bias_values_; ///< empty: none
    PackedMatrix<R> forward_;
    PackedMatrix<R> backward_;
};

enum class NormKind { batch, instance, layer };

/// Normalisation of SPEC section 2: `batch` with running statistics (evaluation), `instance` over a state's rows with
/// biased variance, `layer` over rows and channels together with unbiased variance and no parameters; eps 1e-5.
template <class R> class Norm {
public:
    Norm() = default;
    /// Declares `name.normalizer.{weight,bias,running_mean,running_var}` as the kind has them (`layer`: none).
    Norm(Parameters<R>& parameters, std::string const& name, NormKind kind, std::size_t channels);
    void pack(Parameters<R> const& parameters);

    /// What backward needs.
    struct Saved {
        View<R const> normalised;             ///< (x - mean) / sqrt(var + eps)
        R const* inverse_deviation = nullptr; ///< per channel; instance and layer: per state and channel
        R* workspace = nullptr;               ///< three values per channel for backward to use
    };
    /// y = norm(x); y may be x. Without `save` nothing is kept: there is no way back, except that a norm with fixed
    /// statistics (`batch`) still gives the gradient of its inputs.
    Saved forward(View<R const> x, Segments segments, View<R> y, Arena& arena, bool save = true) const;
    /// dx may be dy.
    void backward(Saved const& saved, Segments segments, View<R const> dy, View<R> dx, std::span<R> gradient) const;
    /// Does the gradient of the inputs need what forward saves?
    [[nodiscard]] bool inputs_need_saved() const { return kind_ != NormKind::batch; }
    /// Is the norm of a mean of rows the mean of their norms?
    [[nodiscard]] bool is_affine() const { return kind_ == NormKind::batch; }

private:
    NormKind kind_ = NormKind::batch;
    std::size_t channels_ = 0;
    Slice weight_, bias_, mean_, variance_;
    std::vector<R> weight_values_, bias_values_, mean_values_, inverse_values_;
};

/// Row s of `out` becomes the mean of the rows of state s.
template <class R> void segment_means(View<R const> x, Segments segments, View<R> out);

/// softmax(q k^T / sqrt(d)) v per head and state, without projections. Heads own consecutive blocks of channels.
template <class R> class SelfAttention {
public:
    explicit SelfAttention(std::size_t heads = 1) : heads_(heads) {}

    struct Saved {
        View<R const> qkv;
        R const* probabilities =
            nullptr; ///< per state and head, n x n (padded rows allowed: implementation's business)
    };
    /// qkv: rows x 3E (queries, keys, values); out: rows x E. `hidden_key` empty, or 1 per row where the key is masked
    /// out for everyone in its state (padding). Unless `keep`, nothing is saved for backward(), and memory no longer
    /// grows with the square of a state's rows; the result has the same bits.
    Saved forward(View<R const> qkv, Segments segments, std::span<std::uint8_t const> hidden_key, View<R> out,
                  Arena& arena, bool keep = true) const;
    void backward(Saved const& saved, Segments segments, View<R const> dout, View<R> dqkv, Arena& arena) const;

private:
    std::size_t heads_;
};

/// y += a * x, n values.
template <class R> void add_scaled(R a, R const* x, R* y, std::size_t n);

/// Row-wise softmax in place of n values; entries at -infinity get exactly 0.
template <class R> void softmax(R* values, std::size_t n);
/// Given p = softmax(s) and dp, ds = p * (dp - <p, dp>), written over dp.
template <class R> void softmax_backward(R const* p, R* dp, std::size_t n);

} // namespace cax::nn
