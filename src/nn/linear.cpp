#include "cax/nn/blocks.hpp"
#include "kernels.hpp"

#include <algorithm>
#include <vector>

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

template <class R>
void Linear<R>::pack_chain(Linear const& inner, Linear const& outer, Parameters<R> const& parameters) {
    assert(inner.out_ == outer.in_);
    in_ = inner.in_;
    out_ = outer.out_;
    std::span<R const> const first = parameters.at(inner.weight_), second = parameters.at(outer.weight_);
    std::vector<R> weight(out_ * in_);
    bias_values_.assign(out_, R{0});
    std::vector<double> sums(in_ + 1); // of a row of W and b: the only rounding is the last one
    for (std::size_t o = 0; o < out_; ++o) {
        std::ranges::fill(sums, 0.0);
        if (outer.bias_) sums[in_] = double{parameters.at(outer.bias_)[o]};
        for (std::size_t m = 0; m < outer.in_; ++m) {
            double const factor = double{second[o * outer.in_ + m]};
            for (std::size_t i = 0; i < in_; ++i) sums[i] += factor * double{first[m * in_ + i]};
            if (inner.bias_) sums[in_] += factor * double{parameters.at(inner.bias_)[m]};
        }
        for (std::size_t i = 0; i < in_; ++i) weight[o * in_ + i] = static_cast<R>(sums[i]);
        bias_values_[o] = static_cast<R>(sums[in_]);
    }
    forward_.assign_transposed(View<R const>{weight.data(), out_, in_, in_});
}

template <class R> void Linear<R>::forward(View<R const> x, View<R> y, View<R const> residual, bool relu) const {
    multiply(x, forward_, y,
             {.bias = bias_values_.empty() ? nullptr : bias_values_.data(), .residual = residual, .relu = relu});
}

template <class R>
void Linear<R>::forward_rows(std::size_t first, std::size_t count, View<R const> x, View<R> y) const {
    assert(count == y.cols);
    multiply_columns(x, forward_, first, y.columns(0, count),
                     {.bias = bias_values_.empty() ? nullptr : bias_values_.data() + first});
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
