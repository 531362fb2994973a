#pragma once
// One encoder layer of the matnet network: operations x and machines y look at each other through mixed scores, then
// each side goes on by itself (self-attention, feed-forward).
//
//     [q | v1] = Wqv1 x,  [k | v2] = Wqv1 y            (the same matrix for both)
//     a1, a2 = mixed-score attention(q, v1, k, v2, C)
//     u = Norm(out_proj(a) + x),  t = Norm1(attention(u) + u),  x <- Norm2(ffn.2(relu(ffn.0(t))) + t)
#include "cax/nn/blocks.hpp"
#include "cax/nn/mixed_score.hpp"
#include "network.hpp"
#include "row_selection.hpp"

#include <cstdint>
#include <string>

namespace cax {

struct MatnetShape {
    std::size_t embed_dim = 0;
    std::size_t heads = 1;
    std::size_t feed_forward = 0;
    nn::NormKind norm = nn::NormKind::batch;
};

/// The part of a layer that operations (or machines) go through alone.
template <class R> class MatnetSide {
public:
    /// `layer` is "encoder.layers.3.", `side` "op" or "ma", `crossing` the projection of its cross attention.
    MatnetSide(nn::Parameters<R>& parameters, std::string const& layer, std::string const& side,
               std::string const& crossing, MatnetShape const& shape);
    void pack(nn::Parameters<R> const& parameters);

    /// What the way back needs. Only gradients of parameters look at `crossed`, `u`, `attended` and `t`; they are
    /// overwritten unless the tape is Tape::parameters.
    struct Saved {
        nn::View<R const> crossed, u, attended, t, hidden;
        typename nn::Norm<R>::Saved norm, norm1, norm2;
        typename nn::SelfAttention<R>::Saved attention;
    };
    /// `padding`: empty, or 1 per row that nobody may attend to. `out` may be `x` unless the tape is Tape::parameters.
    Saved forward(nn::View<R const> x, nn::View<R> crossed, nn::Segments segments,
                  std::span<std::uint8_t const> padding, nn::View<R> out, nn::Arena& arena, Tape tape) const;
    /// Turns dx from the gradient of the output into that of x by the direct path; writes dcrossed.
    void backward(Saved const& saved, nn::Segments segments, nn::View<R> dx, nn::View<R> dcrossed,
                  std::span<R> gradient, nn::Arena& arena) const;

private:
    /// From the output to u (by the direct path) and to the heads of the self-attention.
    void upper_backward(Saved const& saved, nn::Segments segments, nn::View<R> dx, nn::View<R> dattended,
                        std::span<R> gradient, nn::Arena& arena) const;
    /// The same for the given rows alone; the others have no gradient.
    void upper_backward_of(RowSelection rows, Saved const& saved, nn::View<R> dx, nn::View<R> dattended,
                           nn::Arena& arena) const;

    nn::Linear<R> crossing_, qkv_, project_, widen_, narrow_;
    nn::Norm<R> norm_, norm1_, norm2_;
    nn::SelfAttention<R> attention_;
};

template <class R> class MatnetLayer {
public:
    MatnetLayer(nn::Parameters<R>& parameters, std::string const& name, MatnetShape const& shape);
    void pack(nn::Parameters<R> const& parameters);

    /// What stays the same through all layers.
    struct Batch {
        nn::PairSegments segments;
        std::span<std::uint8_t const> padding; ///< per operation
        std::span<R const> costs;              ///< per pair
        bool coupled = false;
    };
    struct Saved {
        nn::View<R const> x, y;
        typename nn::MixedScoreAttention<R>::Saved mixed;
        typename MatnetSide<R>::Saved ops, machines;
    };
    /// The outputs may be the inputs unless the tape is Tape::parameters.
    Saved forward(nn::View<R const> x, nn::View<R const> y, Batch const& batch, nn::View<R> next_x, nn::View<R> next_y,
                  nn::Arena& arena, Tape tape) const;
    /// Turns dx, dy from gradients of the outputs into gradients of the inputs; adds to dcosts.
    void backward(Saved const& saved, Batch const& batch, nn::View<R> dx, nn::View<R> dy, std::span<R> dcosts,
                  std::span<R> gradient, nn::Arena& arena) const;

private:
    nn::Linear<R> project_;
    nn::Linear<R> unused_; ///< Wkv2: in every file, read by nobody
    nn::MixedScoreAttention<R> mixed_;
    MatnetSide<R> ops_, machines_;
};

} // namespace cax
