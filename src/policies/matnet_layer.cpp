#include "matnet_layer.hpp"

namespace cax {

using nn::Arena;
using nn::Segments;
using nn::View;

template <class R>
MatnetSide<R>::MatnetSide(nn::Parameters<R>& parameters, std::string const& layer, std::string const& side,
                          std::string const& crossing, MatnetShape const& shape)
    : attention_(shape.heads) {
    std::size_t const width = shape.embed_dim;
    crossing_ = {parameters, layer + "cross_attn." + crossing, width, width, false};
    qkv_ = {parameters, layer + side + "_attn.Wqkv", width, 3 * width, false};
    project_ = {parameters, layer + side + "_attn.out_proj", width, width, false};
    norm_ = {parameters, layer + side + "_norm", shape.norm, width};
    norm1_ = {parameters, layer + side + "_ffn.ops.norm1", shape.norm, width};
    norm2_ = {parameters, layer + side + "_ffn.ops.norm2", shape.norm, width};
    widen_ = {parameters, layer + side + "_ffn.ops.ffn.0", width, shape.feed_forward, true};
    narrow_ = {parameters, layer + side + "_ffn.ops.ffn.2", shape.feed_forward, width, true};
}

template <class R> void MatnetSide<R>::pack(nn::Parameters<R> const& parameters) {
    for (nn::Linear<R>* const linear : {&crossing_, &qkv_, &project_, &widen_, &narrow_}) linear->pack(parameters);
    for (nn::Norm<R>* const norm : {&norm_, &norm1_, &norm2_}) norm->pack(parameters);
}

template <class R>
auto MatnetSide<R>::forward(View<R const> x, View<R> crossed, Segments segments, std::span<std::uint8_t const> padding,
                            View<R> out, Arena& arena, Tape tape) const -> Saved {
    bool const all = tape == Tape::parameters;
    bool const save = all || (tape == Tape::inputs && norm_.inputs_need_saved());
    View<R> const qkv = arena.matrix<R>(x.rows, qkv_.out());
    View<R> const hidden = arena.matrix<R>(x.rows, widen_.out());
    View<R> const u = all ? arena.matrix<R>(x.rows, x.cols) : out;
    View<R> const attended = all ? arena.matrix<R>(x.rows, x.cols) : crossed;
    View<R> const t = all ? arena.matrix<R>(x.rows, x.cols) : out;
    Saved saved{crossed, u, attended, t, hidden, {}, {}, {}, {}};

    crossing_.forward(crossed, u, x);
    saved.norm = norm_.forward(u, segments, u, arena, save);

    qkv_.forward(u, qkv);
    saved.attention = attention_.forward(qkv, segments, padding, attended, arena, goes_back(tape));
    project_.forward(attended, t, u);
    saved.norm1 = norm1_.forward(t, segments, t, arena, save);

    widen_.forward(t, hidden, {}, true);
    narrow_.forward(hidden, out, t);
    saved.norm2 = norm2_.forward(out, segments, out, arena, save);
    return saved;
}

template <class R>
void MatnetSide<R>::backward(Saved const& saved, Segments segments, View<R> dx, View<R> dcrossed, std::span<R> gradient,
                             Arena& arena) const {
    View<R> const dattended = arena.matrix<R>(dx.rows, dx.cols);
    View<R> const dqkv = arena.matrix<R>(dx.rows, qkv_.out());
    RowSelection const live = live_rows<R>(dx, arena);
    bool const row_by_row = gradient.empty() && !norm_.inputs_need_saved();
    if (row_by_row && live.size() < dx.rows)
        upper_backward_of(live, saved, dx, dattended, arena);
    else
        upper_backward(saved, segments, dx, dattended, gradient, arena);

    attention_.backward(saved.attention, segments, dattended, dqkv, arena);
    qkv_.backward_input(dqkv, dx, true);
    norm_.backward(saved.norm, segments, dx, dx, gradient); // now of out_proj(a) + x
    crossing_.backward_input(dx, dcrossed);
    if (gradient.empty()) return;
    qkv_.backward_parameters(saved.u, dqkv, gradient, arena);
    crossing_.backward_parameters(saved.crossed, dx, gradient, arena);
}

template <class R>
void MatnetSide<R>::upper_backward(Saved const& saved, Segments segments, View<R> dx, View<R> dattended,
                                   std::span<R> gradient, Arena& arena) const {
    View<R> const dhidden = arena.matrix<R>(dx.rows, widen_.out());
    auto const to_parameters = [&](nn::Linear<R> const& linear, View<R const> input, View<R const> doutput) {
        if (!gradient.empty()) linear.backward_parameters(input, doutput, gradient, arena);
    };
    norm2_.backward(saved.norm2, segments, dx, dx, gradient); // now of ffn(t) + t
    narrow_.backward_input(dx, dhidden, false, saved.hidden);
    to_parameters(narrow_, saved.hidden, dx);
    to_parameters(widen_, saved.t, dhidden);
    widen_.backward_input(dhidden, dx, true);

    norm1_.backward(saved.norm1, segments, dx, dx, gradient); // now of attention(u) + u
    project_.backward_input(dx, dattended);
    to_parameters(project_, saved.attended, dx);
}

template <class R>
void MatnetSide<R>::upper_backward_of(RowSelection rows, Saved const& saved, View<R> dx, View<R> dattended,
                                      Arena& arena) const {
    View<R> const dpart = gather<R>(dx, rows, arena);
    View<R> const dattended_part = arena.matrix<R>(rows.size(), dx.cols);
    Saved part = saved;
    part.hidden = gather<R>(saved.hidden, rows, arena);
    part.norm1.normalised = part.norm2.normalised = {};
    upper_backward(part, {}, dpart, dattended_part, {}, arena);
    scatter<R>(dpart, rows, dx);
    scatter<R>(dattended_part, rows, dattended);
}

template <class R>
MatnetLayer<R>::MatnetLayer(nn::Parameters<R>& parameters, std::string const& name, MatnetShape const& shape)
    : project_(parameters, name + "cross_attn.Wqv1", shape.embed_dim, 2 * shape.embed_dim, false),
      unused_(parameters, name + "cross_attn.Wkv2", shape.embed_dim, 2 * shape.embed_dim, false),
      mixed_(parameters, name + "cross_attn.mixed_scores_layer", shape.embed_dim, shape.heads),
      ops_(parameters, name, "op", "out_proj1", shape),
      machines_(parameters, name, "ma", "out_proj2", shape) {}

template <class R> void MatnetLayer<R>::pack(nn::Parameters<R> const& parameters) {
    project_.pack(parameters);
    mixed_.pack(parameters);
    ops_.pack(parameters);
    machines_.pack(parameters);
}

template <class R>
auto MatnetLayer<R>::forward(View<R const> x, View<R const> y, Batch const& batch, View<R> next_x, View<R> next_y,
                             Arena& arena, Tape tape) const -> Saved {
    View<R> const qv = arena.matrix<R>(x.rows, 2 * x.cols), kv = arena.matrix<R>(y.rows, 2 * y.cols);
    View<R> const a1 = arena.matrix<R>(x.rows, x.cols), a2 = arena.matrix<R>(y.rows, y.cols);
    Saved saved{x, y, {}, {}, {}};
    project_.forward(x, qv);
    project_.forward(y, kv);
    saved.mixed = mixed_.forward(qv, kv, batch.costs, batch.segments, batch.coupled, a1, a2, arena);
    saved.ops = ops_.forward(x, a1, batch.segments.left, batch.padding, next_x, arena, tape);
    saved.machines = machines_.forward(y, a2, batch.segments.right, {}, next_y, arena, tape);
    return saved;
}

template <class R>
void MatnetLayer<R>::backward(Saved const& saved, Batch const& batch, View<R> dx, View<R> dy, std::span<R> dcosts,
                              std::span<R> gradient, Arena& arena) const {
    View<R> const dqv = arena.matrix<R>(dx.rows, 2 * dx.cols), dkv = arena.matrix<R>(dy.rows, 2 * dy.cols);
    View<R> const da1 = arena.matrix<R>(dx.rows, dx.cols), da2 = arena.matrix<R>(dy.rows, dy.cols);

    ops_.backward(saved.ops, batch.segments.left, dx, da1, gradient, arena);
    machines_.backward(saved.machines, batch.segments.right, dy, da2, gradient, arena);
    mixed_.backward(saved.mixed, batch.segments, da1, da2, dqv, dkv, dcosts, gradient, arena);
    project_.backward_input(dqv, dx, true);
    project_.backward_input(dkv, dy, true);
    if (gradient.empty()) return;
    project_.backward_parameters(saved.x, dqv, gradient, arena);
    project_.backward_parameters(saved.y, dkv, gradient, arena);
}

template class MatnetSide<float>;
template class MatnetSide<double>;
template class MatnetLayer<float>;
template class MatnetLayer<double>;

} // namespace cax
