#include "cax/nn/blocks.hpp"
#include "kernels.hpp"

namespace cax::nn {

template <class R> void add_scaled(R a, R const* x, R* y, std::size_t n) { kernels<R>().add_scaled(a, x, y, n); }
template void add_scaled(float, float const*, float*, std::size_t);
template void add_scaled(double, double const*, double*, std::size_t);

template <class R> void softmax(R* values, std::size_t n) { kernels<R>().softmax({values, 1, n, n}); }

template <class R> void softmax_backward(R const* p, R* dp, std::size_t n) {
    kernels<R>().softmax_backward({p, 1, n, n}, {dp, 1, n, n});
}

template void softmax(float*, std::size_t);
template void softmax(double*, std::size_t);
template void softmax_backward(float const*, float*, std::size_t);
template void softmax_backward(double const*, double*, std::size_t);

} // namespace cax::nn
