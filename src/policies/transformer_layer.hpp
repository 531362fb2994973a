#pragma once
// One layer of the attention network's encoder: h <- Norm_1(h + MHA(h)), then h <- Norm_3(h + feed_forward(h)).
#include "cax/nn/arena.hpp"
#include "cax/nn/blocks.hpp"
#include "network.hpp"
#include "row_selection.hpp"

#include <optional>
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
    [[nodiscard]] nn::Linear<R> const& qkv() const { return qkv_; }
    /// Is the mean of the outputs cheaper than the outputs?
    [[nodiscard]] bool gives_means() const { return norm_3_.is_affine(); }

    /// What of a layer's output will be looked at.
    struct Wanted {
        std::optional<RowSelection> rows; ///< none: all; the others are left undefined
        nn::View<R> means{};              ///< if means.data: of each state's rows, all of them; if gives_means()
    };
    /// `qkv`: that of h, or no data: computed from it. `out` may be `h` unless the tape is Tape::parameters.
    Saved forward(nn::View<R const> h, nn::View<R const> qkv, nn::Segments segments, nn::View<R> out, nn::Arena& arena,
                  Tape tape, Wanted const& wanted) const;
    /// `dh` holds the gradient of the layer's output and is overwritten with that of its input.
    void backward(Saved const& saved, nn::Segments segments, nn::View<R> dh, std::span<R> gradient,
                  nn::Arena& arena) const;

private:
    /// out = Norm_3(middle + W_narrow hidden), what is wanted of it.
    typename nn::Norm<R>::Saved finish(nn::View<R const> middle, nn::View<R const> hidden, nn::Segments segments,
                                       nn::View<R> out, nn::Arena& arena, bool save, Wanted const& wanted) const;

    nn::Linear<R> qkv_, out_;
    nn::SelfAttention<R> attention_;
    nn::Norm<R> norm_1_;
    nn::Linear<R> widen_, narrow_;
    nn::Norm<R> norm_3_;
};

} // namespace cax
