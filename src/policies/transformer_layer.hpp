#pragma once
// One layer of the attention network's encoder: h <- Norm_1(h + MHA(h)), then h <- Norm_3(h + feed_forward(h)).
#include "cax/nn/arena.hpp"
#include "cax/nn/blocks.hpp"
#include "network.hpp"

#include <string>

namespace cax {

template <class R> class TransformerLayer {
public:
    /// Declares rl4co's parameters of a layer: name.0 (attention), .1 (norm), .2 (feed-forward), .3 (norm).
    TransformerLayer(nn::Parameters<R>& parameters, std::string const& name, std::size_t width, std::size_t heads,
                     std::size_t feed_forward, nn::NormKind norm);
    void pack(nn::Parameters<R> const& parameters);

    /// What the way back needs; [parameters]: overwritten unless the tape is Tape::parameters.
    struct Saved {
        nn::View<R const> input;                      ///< h [parameters]
        typename nn::SelfAttention<R>::Saved heads{}; ///< q|k|v and attention weights
        nn::View<R const> attended;                   ///< heads side by side, before the output projection [parameters]
        typename nn::Norm<R>::Saved norm_1{};
        nn::View<R const> middle; ///< output of norm_1 [parameters]
        nn::View<R const> hidden; ///< feed-forward activations after ReLU
        typename nn::Norm<R>::Saved norm_3{};
    };
    /// `out` may be `h` unless the tape is Tape::parameters.
    Saved forward(nn::View<R const> h, nn::Segments segments, nn::View<R> out, nn::Arena& arena, Tape tape) const;
    /// `dh` holds the gradient of the layer's output and is overwritten with that of its input.
    void backward(Saved const& saved, nn::Segments segments, nn::View<R> dh, std::span<R> gradient,
                  nn::Arena& arena) const;

private:
    nn::Linear<R> qkv_, out_;
    nn::SelfAttention<R> attention_;
    nn::Norm<R> norm_1_;
    nn::Linear<R> widen_, narrow_;
    nn::Norm<R> norm_3_;
};

} // namespace cax
