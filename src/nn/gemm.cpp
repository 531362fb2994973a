#include "cax/nn/gemm.hpp"

#include "kernels.hpp"

#include <algorithm>

namespace cax::nn {

namespace {

/// A panel's slack behind the last one lets multiply_columns() start a vector at any column.
template <class R> std::size_t packed_size(std::size_t inner, std::size_t cols) {
    std::size_t const panel = kernels<R>().panel;
    return ((cols + panel - 1) / panel * inner + 1) * panel;
}

template <class R> void pack(View<R const> b, bool transposed, R* panels) {
    std::size_t const inner = transposed ? b.cols : b.rows;
    std::size_t const cols = transposed ? b.rows : b.cols;
    kernels<R>().pack(b.data, b.stride, inner, cols, transposed, panels);
    std::size_t const panel = kernels<R>().panel;
    std::fill_n(panels + packed_size<R>(inner, cols) - panel, panel, R{0});
}

} // namespace

template <class R> void PackedMatrix<R>::assign(View<R const> b) {
    inner_ = b.rows;
    cols_ = b.cols;
    borrowed_ = nullptr;
    own_.resize(packed_size<R>(inner_, cols_));
    pack(b, false, own_.data());
}

template <class R> void PackedMatrix<R>::assign_transposed(View<R const> b) {
    inner_ = b.cols;
    cols_ = b.rows;
    borrowed_ = nullptr;
    own_.resize(packed_size<R>(inner_, cols_));
    pack(b, true, own_.data());
}

template <class R> PackedMatrix<R> PackedMatrix<R>::borrow(View<R const> b, Arena& arena) {
    PackedMatrix packed;
    packed.inner_ = b.rows;
    packed.cols_ = b.cols;
    R* const panels = arena.make<R>(packed_size<R>(packed.inner_, packed.cols_));
    pack(b, false, panels);
    packed.borrowed_ = panels;
    return packed;
}

template <class R> PackedMatrix<R> PackedMatrix<R>::borrow_transposed(View<R const> b, Arena& arena) {
    PackedMatrix packed;
    packed.inner_ = b.cols;
    packed.cols_ = b.rows;
    R* const panels = arena.make<R>(packed_size<R>(packed.inner_, packed.cols_));
    pack(b, true, panels);
    packed.borrowed_ = panels;
    return packed;
}

template <class R>
void multiply_columns(std::type_identity_t<View<R const>> a, PackedMatrix<R> const& b, std::size_t first, View<R> c,
                      Epilogue<R> const& epilogue) {
    assert(a.cols == b.inner() && a.rows == c.rows && first + c.cols <= b.cols());
    assert(!epilogue.residual.data || (epilogue.residual.rows == c.rows && epilogue.residual.cols == c.cols));
    assert(!epilogue.gate.data || (epilogue.gate.rows == c.rows && epilogue.gate.cols == c.cols));
    std::size_t const panel = kernels<R>().panel;
    Product<R> product{.rows = c.rows,
                       .inner = b.inner(),
                       .cols = c.cols,
                       .a = a.data,
                       .a_stride = a.stride,
                       .b = b.panels() + first / panel * panel * b.inner(),
                       .b_stride = panel,
                       .panel_stride = panel * b.inner(),
                       .c = c.data,
                       .c_stride = c.stride,
                       .scale = epilogue.scale,
                       .bias = epilogue.bias,
                       .residual = epilogue.residual.data,
                       .residual_stride = epilogue.residual.stride,
                       .gate = epilogue.gate.data,
                       .gate_stride = epilogue.gate.stride,
                       .accumulate = epilogue.accumulate,
                       .relu = epilogue.relu};
    std::size_t const offset = first % panel;
    if (offset == 0) return kernels<R>().multiply(product);
    // The columns begin inside a panel: what is left of it first, then the rest, panel by panel.
    std::size_t const here = std::min(panel - offset, c.cols);
    product.b += offset;
    product.cols = here;
    kernels<R>().multiply(product);
    if (here == c.cols) return;
    Epilogue<R> rest = epilogue;
    if (rest.bias) rest.bias += here;
    if (rest.residual.data) rest.residual = rest.residual.columns(here, c.cols - here);
    if (rest.gate.data) rest.gate = rest.gate.columns(here, c.cols - here);
    multiply_columns<R>(a, b, first + here, c.columns(here, c.cols - here), rest);
}

template <class R>
void multiply(std::type_identity_t<View<R const>> a, PackedMatrix<R> const& b, View<R> c, Epilogue<R> const& epilogue) {
    assert(c.cols == b.cols());
    multiply_columns(a, b, 0, c, epilogue);
}

template <class R>
void multiply_transposed(std::type_identity_t<View<R const>> a, std::type_identity_t<View<R const>> b, View<R> c,
                         Arena& arena) {
    assert(a.rows == b.rows && a.cols == c.rows && b.cols == c.cols);
    // Rows are summed in blocks of fixed length, so that a block of both factors stays in the second-level cache.
    constexpr std::size_t block = 256;
    std::size_t const panel = kernels<R>().panel;
    Arena::Mark const mark = arena.mark();
    R* const panels = arena.make<R>(packed_size<R>(std::min(block, b.rows), b.cols));
    for (std::size_t first = 0; first < a.rows; first += block) {
        std::size_t const count = std::min(block, a.rows - first);
        pack(b.middle_rows(first, count), false, panels);
        kernels<R>().multiply({.rows = c.rows,
                               .inner = count,
                               .cols = c.cols,
                               .a = a.row(first),
                               .a_stride = a.stride,
                               .a_transposed = true,
                               .b = panels,
                               .b_stride = panel,
                               .panel_stride = panel * count,
                               .c = c.data,
                               .c_stride = c.stride,
                               .accumulate = true});
    }
    arena.release(mark);
}

#define CAX_INSTANTIATE(R)                                                                                             \
    template class PackedMatrix<R>;                                                                                    \
    template void multiply(std::type_identity_t<View<R const>>, PackedMatrix<R> const&, View<R>, Epilogue<R> const&);  \
    template void multiply_columns(std::type_identity_t<View<R const>>, PackedMatrix<R> const&, std::size_t, View<R>,  \
                                   Epilogue<R> const&);                                                                \
    template void multiply_transposed(std::type_identity_t<View<R const>>, std::type_identity_t<View<R const>>,        \
                                      View<R>, Arena&);
CAX_INSTANTIATE(float)
CAX_INSTANTIATE(double)
#undef CAX_INSTANTIATE

} // namespace cax::nn
