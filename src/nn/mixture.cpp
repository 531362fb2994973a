#include "cax/nn/mixture.hpp"

#include "kernels.hpp"

namespace cax::nn {
namespace {

template <class R> RowMix<R> job_of(Mixture<R> const& mixture) {
    return {mixture.heads, mixture.dim, mixture.rows.size(), mixture.targets, mixture.rows.data()};
}

} // namespace

template <class R> void mix_rows(Mixture<R> const& mixture, R const* weights, R* out) {
    kernels<R>().mix_rows(job_of(mixture), weights, out);
}

template <class R>
void mix_rows_backward(Mixture<R> const& mixture, R const* weights, R const* dout, R* dweights,
                       std::span<R* const> drows) {
    assert(drows.size() == mixture.rows.size());
    kernels<R>().mix_rows_backward(job_of(mixture), weights, dout, dweights, drows.data());
}

template <class R> void compare_rows(Mixture<R> const& mixture, R const* y, R factor, R* dots) {
    kernels<R>().compare_rows(job_of(mixture), y, factor, dots);
}

template <class R>
void compare_rows_backward(Mixture<R> const& mixture, R const* y, R factor, R const* ddots, R* dy,
                           std::span<R* const> drows) {
    assert(drows.size() == mixture.rows.size());
    kernels<R>().compare_rows_backward(job_of(mixture), y, factor, ddots, dy, drows.data());
}

template <class R> void interleave_heads(View<R const> from, std::size_t heads, View<R> to) {
    std::size_t const dim = from.cols / heads;
    for (std::size_t r = 0; r < from.rows; ++r)
        for (std::size_t h = 0; h < heads; ++h)
            for (std::size_t i = 0; i < dim; ++i) to.row(r)[i * heads + h] = from.row(r)[h * dim + i];
}

template <class R> void add_separated_heads(View<R const> from, std::size_t heads, View<R> to) {
    std::size_t const dim = from.cols / heads;
    for (std::size_t r = 0; r < from.rows; ++r)
        for (std::size_t h = 0; h < heads; ++h)
            for (std::size_t i = 0; i < dim; ++i) to.row(r)[h * dim + i] += from.row(r)[i * heads + h];
}

#define CAX_INSTANTIATE(R)                                                                                             \
    template void mix_rows(Mixture<R> const&, R const*, R*);                                                           \
    template void mix_rows_backward(Mixture<R> const&, R const*, R const*, R*, std::span<R* const>);                   \
    template void compare_rows(Mixture<R> const&, R const*, R, R*);                                                    \
    template void compare_rows_backward(Mixture<R> const&, R const*, R, R const*, R*, std::span<R* const>);            \
    template void interleave_heads(View<R const>, std::size_t, View<R>);                                               \
    template void add_separated_heads(View<R const>, std::size_t, View<R>);
CAX_INSTANTIATE(float)
CAX_INSTANTIATE(double)
#undef CAX_INSTANTIATE

} // namespace cax::nn
