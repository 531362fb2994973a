#include "cax/nn/pairs.hpp"

#include "kernels.hpp"

namespace cax::nn {

PairSegments make_pairs(Segments left, Segments right, Arena& arena) {
    assert(left.size() == right.size());
    std::size_t* const pairs = arena.make<std::size_t>(left.size());
    pairs[0] = 0;
    for (std::size_t s = 0; s + 1 < left.size(); ++s)
        pairs[s + 1] = pairs[s] + (left[s + 1] - left[s]) * (right[s + 1] - right[s]);
    return {left, right, {pairs, left.size()}};
}

template <class R>
void pair_dots(PairState const& state, View<R const> a, View<R const> b, R factor, View<R> out, Arena& arena,
               Write write) {
    assert(a.cols == b.cols && a.cols % out.cols == 0);
    Arena::Mark const mark = arena.mark();
    kernels<R>().dot_heads({.heads = out.cols,
                            .dim = a.cols / out.cols,
                            .a = a.row(state.first_left),
                            .a_rows = state.left,
                            .a_stride = a.stride,
                            .b = b.row(state.first_right),
                            .b_rows = state.right,
                            .b_stride = b.stride,
                            .factor = factor,
                            .accumulate = write == Write::add,
                            .out = out.row(state.first_pair),
                            .out_stride = out.stride,
                            .scratch = arena.make<R>((state.left + state.right) * a.cols)});
    arena.release(mark);
}

template <class R>
void sum_over_right(PairState const& state, View<R const> weights, View<R const> b, R factor, View<R> out,
                    Write write) {
    assert(b.cols == out.cols && b.cols % weights.cols == 0);
    kernels<R>().mix_heads({.heads = weights.cols,
                            .dim = b.cols / weights.cols,
                            .targets = state.left,
                            .sources = state.right,
                            .weights = weights.row(state.first_pair),
                            .target_step = state.right * weights.stride,
                            .source_step = weights.stride,
                            .x = b.row(state.first_right),
                            .x_stride = b.stride,
                            .factor = factor,
                            .accumulate = write == Write::add,
                            .out = out.row(state.first_left),
                            .out_stride = out.stride});
}

template <class R>
void sum_over_left(PairState const& state, View<R const> weights, View<R const> a, R factor, View<R> out, Write write) {
    assert(a.cols == out.cols && a.cols % weights.cols == 0);
    kernels<R>().mix_heads({.heads = weights.cols,
                            .dim = a.cols / weights.cols,
                            .targets = state.right,
                            .sources = state.left,
                            .weights = weights.row(state.first_pair),
                            .target_step = weights.stride,
                            .source_step = state.right * weights.stride,
                            .x = a.row(state.first_left),
                            .x_stride = a.stride,
                            .factor = factor,
                            .accumulate = write == Write::add,
                            .out = out.row(state.first_right),
                            .out_stride = out.stride});
}

namespace {

/// The pairs of a left row stand one below the other: a block of its own. The pairs of a right row are every right-th
/// row, so all of them side by side make one wide block.
ColumnBlocks over_right(PairState const& state, std::size_t heads) { return {state.left, state.right, heads}; }
ColumnBlocks over_left(PairState const& state, std::size_t heads) { return {1, state.left, state.right * heads}; }

template <class R> void softmax(ColumnBlocks blocks, std::size_t first, View<R const> z, R scale, View<R> p) {
    assert(z.stride == z.cols && p.stride == p.cols && scale > R{0});
    kernels<R>().softmax_columns(blocks, z.row(first), scale, p.row(first));
}

template <class R>
void softmax_backward(ColumnBlocks blocks, std::size_t first, View<R const> p, View<R const> dp, View<R> dz) {
    assert(p.stride == p.cols && dp.stride == dp.cols && dz.stride == dz.cols);
    kernels<R>().softmax_columns_backward(blocks, p.row(first), dp.row(first), dz.row(first));
}

} // namespace

template <class R> void softmax_over_right(PairState const& state, View<R const> z, R scale, View<R> p) {
    softmax(over_right(state, z.cols), state.first_pair, z, scale, p);
}
template <class R> void softmax_over_left(PairState const& state, View<R const> z, R scale, View<R> p) {
    softmax(over_left(state, z.cols), state.first_pair, z, scale, p);
}
template <class R>
void softmax_over_right_backward(PairState const& state, View<R const> p, View<R const> dp, View<R> dz) {
    softmax_backward(over_right(state, p.cols), state.first_pair, p, dp, dz);
}
template <class R>
void softmax_over_left_backward(PairState const& state, View<R const> p, View<R const> dp, View<R> dz) {
    softmax_backward(over_left(state, p.cols), state.first_pair, p, dp, dz);
}

#define CAX_INSTANTIATE(R)                                                                                             \
    template void pair_dots(PairState const&, View<R const>, View<R const>, R, View<R>, Arena&, Write);                \
    template void sum_over_right(PairState const&, View<R const>, View<R const>, R, View<R>, Write);                   \
    template void sum_over_left(PairState const&, View<R const>, View<R const>, R, View<R>, Write);                    \
    template void softmax_over_right(PairState const&, View<R const>, R, View<R>);                                     \
    template void softmax_over_left(PairState const&, View<R const>, R, View<R>);                                      \
    template void softmax_over_right_backward(PairState const&, View<R const>, View<R const>, View<R>);                \
    template void softmax_over_left_backward(PairState const&, View<R const>, View<R const>, View<R>);
CAX_INSTANTIATE(float)
CAX_INSTANTIATE(double)
#undef CAX_INSTANTIATE

} // namespace cax::nn
