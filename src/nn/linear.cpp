#include "cax/nn/blocks.hpp"
#include "kernels.hpp"

namespace cax::nn {

template <class R>
Linear<R>::Linear(Parameters<R>& parameters, std::string const& name, std::size_t in, std::size_t out, bool bias)
    : in_(in), out_(out), weight_(parameters.add(name + ".weight", {out, in})) {
    if (bias) bias_ = parameters.add(name + ".bias", {out});
}

template <class R> void Linear<R>::pack(Parameters<R> const& parameters) {
    View<R const> const weight{parameters.at(weight_).data(), out_, in_, in_};
    forward_.assign_transposed(weight);
    backward_.assign(weight);
    if (!bias_) return;
    std::span<R const> const bias = parameters.at(bias_);
    bias_values_.assign(bias.begin(), bias.end());
}

template <class R> void Linear<R>::forward(View<R const> x, View<R> y, View<R const> residual, bool relu) const {
    multiply(x, forward_, y, {.bias = bias_ ? bias_values_.data() : nullptr, .residual = residual, .relu = relu});
}

template <class R>
void Linear<R>::forward_rows(std::size_t first, std::size_t count, View<R const> x, View<R> y) const {
    assert(count == y.cols);
    multiply_columns(x, forward_, first, y.columns(0, count), {.bias = bias_ ? bias_values_.data() + first : nullptr});
}

template <class R>
void Linear<R>::backward_input(View<R const> dy, View<R> dx, bool accumulate, View<R const> relu_output) const {
    multiply(dy, backward_, dx, {.accumulate = accumulate, .gate = relu_output});
}

template <class R>
void Linear<R>::backward_parameters(View<R const> x, View<R const> dy, std::span<R> gradient, Arena& arena) const {
    assert(x.rows == dy.rows && x.cols == in_ && dy.cols == out_);
    std::span<R> const weight = gradient_at(gradient, weight_);
    multiply_transposed(dy, x, View<R>{weight.data(), out_, in_, in_}, arena);
    if (!bias_) return;
    kernels<R>().column_sums({dy.data, dy.rows, dy.cols, dy.stride}, nullptr, 0, gradient_at(gradient, bias_).data());
}

template class Linear<float>;
template class Linear<double>;

} // namespace cax::nn
