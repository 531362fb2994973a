#include "transformer_layer.hpp"

#include <algorithm>

namespace cax {

using nn::View;

template <class R>
TransformerLayer<R>::TransformerLayer(nn::Parameters<R>& parameters, std::string const& name, std::size_t width,
                                      std::size_t heads, std::size_t feed_forward, nn::NormKind norm)
    : qkv_(parameters, name + ".0.module.Wqkv", width, 3 * width, true),
      out_(parameters, name + ".0.module.out_proj", width, width, true),
      attention_(heads),
      norm_1_(parameters, name + ".1", norm, width),
      widen_(parameters, name + ".2.module.lins.0", width, feed_forward, true),
      narrow_(parameters, name + ".2.module.lins.1", feed_forward, width, true),
      norm_3_(parameters, name + ".3", norm, width) {}

template <class R> void TransformerLayer<R>::pack(nn::Parameters<R> const& parameters) {
    for (nn::Linear<R>* const linear : {&qkv_, &out_, &widen_, &narrow_}) linear->pack(parameters);
    norm_1_.pack(parameters);
    norm_3_.pack(parameters);
}

template <class R>
typename TransformerLayer<R>::Saved TransformerLayer<R>::forward(View<R const> h, View<R const> qkv,
                                                                 nn::Segments segments, View<R> out, nn::Arena& arena,
                                                                 Tape tape, Wanted const& wanted) const {
    bool const all = tape == Tape::parameters;
    bool const save = all || (tape == Tape::inputs && norm_1_.inputs_need_saved());
    if (!qkv.data) {
        View<R> const own = arena.matrix<R>(h.rows, qkv_.out());
        qkv_.forward(h, own);
        qkv = own;
    }
    View<R> const hidden{arena.make<R>(h.rows * std::max(widen_.out(), h.cols)), h.rows, widen_.out(), widen_.out()};
    // Only the gradients of parameters look at these again; without them they take room that is free for the moment.
    View<R> const attended = all ? arena.matrix<R>(h.rows, h.cols) : View<R>{hidden.data, h.rows, h.cols, h.cols};
    View<R> const middle = all ? arena.matrix<R>(h.rows, h.cols) : out;

    Saved saved{.input = h, .attended = attended, .middle = middle, .hidden = hidden};
    saved.heads = attention_.forward(qkv, segments, {}, attended, arena, goes_back(tape));
    out_.forward(attended, middle, h);
    saved.norm_1 = norm_1_.forward(middle, segments, middle, arena, save);
    widen_.forward(middle, hidden, {}, true);
    saved.norm_3 = finish(middle, hidden, segments, out, arena, save, wanted);
    return saved;
}

template <class R>
typename nn::Norm<R>::Saved TransformerLayer<R>::finish(View<R const> middle, View<R const> hidden,
                                                        nn::Segments segments, View<R> out, nn::Arena& arena, bool save,
                                                        Wanted const& wanted) const {
    if (wanted.means.data) { // all that follows is affine
        View<R> const mean_hidden = arena.matrix<R>(wanted.means.rows, hidden.cols);
        nn::segment_means(hidden, segments, mean_hidden);
        nn::segment_means(middle, segments, wanted.means);
        narrow_.forward(mean_hidden, wanted.means, wanted.means);
        norm_3_.forward(wanted.means, {}, wanted.means, arena, false);
    }
    if (!wanted.rows) {
        narrow_.forward(hidden, out, middle);
        return norm_3_.forward(out, segments, out, arena, save);
    }
    View<R> const few = gather<R>(middle, *wanted.rows, arena);
    narrow_.forward(gather<R>(hidden, *wanted.rows, arena), few, few);
    norm_3_.forward(few, {}, few, arena, false);
    for (std::size_t i = 0; i < few.rows; ++i) std::copy_n(few.row(i), few.cols, out.row((*wanted.rows)[i]));
    return {};
}

template <class R>
void TransformerLayer<R>::backward(Saved const& saved, nn::Segments segments, View<R> dh, std::span<R> gradient,
                                   nn::Arena& arena) const {
    bool const parameters = !gradient.empty();

    norm_3_.backward(saved.norm_3, segments, dh, dh, gradient);
    if (parameters) narrow_.backward_parameters(saved.hidden, dh, gradient, arena);
    View<R> const dhidden = arena.matrix<R>(dh.rows, widen_.out());
    narrow_.backward_input(dh, dhidden, false, saved.hidden);
    if (parameters) widen_.backward_parameters(saved.middle, dhidden, gradient, arena);
    widen_.backward_input(dhidden, dh, true); // the skip's gradient is there already

    norm_1_.backward(saved.norm_1, segments, dh, dh, gradient);
    if (parameters) out_.backward_parameters(saved.attended, dh, gradient, arena);
    View<R> const dattended = arena.matrix<R>(dh.rows, dh.cols);
    out_.backward_input(dh, dattended);
    View<R> const dqkv = arena.matrix<R>(dh.rows, qkv_.out());
    attention_.backward(saved.heads, segments, dattended, dqkv, arena);
    if (parameters) qkv_.backward_parameters(saved.input, dqkv, gradient, arena);
    qkv_.backward_input(dqkv, dh, true);
}

template class TransformerLayer<float>;
template class TransformerLayer<double>;

} // namespace cax
