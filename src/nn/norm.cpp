#include "cax/nn/blocks.hpp"
#include "kernels.hpp"

#include <algorithm>
#include <cmath>

namespace cax::nn {

namespace {

constexpr double epsilon = 1e-5;

/// Mean and inverse deviation of each channel over the rows of one state.
template <class R> void measure_channels(Block<R const> x, R* mean, R* inverse) {
    auto const count = static_cast<R>(x.rows);
    std::fill_n(mean, x.cols, R{0});
    kernels<R>().column_sums(x, nullptr, 0, mean);
    for (std::size_t c = 0; c < x.cols; ++c) mean[c] /= count;
    std::fill_n(inverse, x.cols, R{0});
    kernels<R>().column_squares(x, mean, inverse);
    for (std::size_t c = 0; c < x.cols; ++c)
        inverse[c] = R{1} / std::sqrt(inverse[c] / count + static_cast<R>(epsilon));
}

/// The same over rows and channels together, with the unbiased variance, repeated for every channel.
template <class R> void measure_all(Block<R const> x, R* mean, R* inverse) {
    std::size_t const count = x.rows * x.cols;
    auto const sum_of = [&](R const* columns) {
        R sum = 0;
        for (std::size_t c = 0; c < x.cols; ++c) sum += columns[c];
        return sum;
    };
    std::fill_n(mean, x.cols, R{0});
    kernels<R>().column_sums(x, nullptr, 0, mean);
    std::fill_n(mean, x.cols, sum_of(mean) / static_cast<R>(count));
    std::fill_n(inverse, x.cols, R{0});
    kernels<R>().column_squares(x, mean, inverse);
    R const variance = sum_of(inverse) / static_cast<R>(count - 1);
    std::fill_n(inverse, x.cols, R{1} / std::sqrt(variance + static_cast<R>(epsilon)));
}

} // namespace

template <class R>
Norm<R>::Norm(Parameters<R>& parameters, std::string const& name, NormKind kind, std::size_t channels)
    : kind_(kind), channels_(channels), weight_values_(channels, R{1}), bias_values_(channels) {
    if (kind == NormKind::layer) return;
    weight_ = parameters.add(name + ".normalizer.weight", {channels});
    bias_ = parameters.add(name + ".normalizer.bias", {channels});
    if (kind == NormKind::instance) return;
    mean_ = parameters.add(name + ".normalizer.running_mean", {channels}, false);
    variance_ = parameters.add(name + ".normalizer.running_var", {channels}, false);
}

template <class R> void Norm<R>::pack(Parameters<R> const& parameters) {
    if (kind_ == NormKind::layer) return;
    std::ranges::copy(parameters.at(weight_), weight_values_.begin());
    std::ranges::copy(parameters.at(bias_), bias_values_.begin());
    if (kind_ == NormKind::instance) return;
    std::span<R const> const mean = parameters.at(mean_);
    mean_values_.assign(mean.begin(), mean.end());
    inverse_values_.resize(channels_);
    for (std::size_t c = 0; c < channels_; ++c)
        inverse_values_[c] = R{1} / std::sqrt(parameters.at(variance_)[c] + static_cast<R>(epsilon));
}

template <class R>
auto Norm<R>::forward(View<R const> x, Segments segments, View<R> y, Arena& arena, bool save) const -> Saved {
    assert(x.cols == channels_ && y.cols == channels_ && x.rows == y.rows);
    View<R> const normalised = save ? arena.matrix<R>(x.rows, channels_) : View<R>{};
    R* const workspace = arena.make<R>(3 * channels_);
    if (kind_ == NormKind::batch) {
        kernels<R>().normalise({x.data, x.rows, x.cols, x.stride}, mean_values_.data(), inverse_values_.data(),
                               weight_values_.data(), bias_values_.data(), normalised.data, y.data, y.stride);
        return {normalised, inverse_values_.data(), workspace};
    }
    std::size_t const states = segments.empty() ? 0 : segments.size() - 1;
    R* const mean = workspace;
    R* const inverse = arena.make<R>(states * channels_);
    for (std::size_t s = 0; s < states; ++s) {
        std::size_t const first = segments[s];
        Block<R const> const rows{x.data + first * x.stride, segments[s + 1] - first, channels_, x.stride};
        R* const own = inverse + s * channels_;
        kind_ == NormKind::instance ? measure_channels(rows, mean, own) : measure_all(rows, mean, own);
        kernels<R>().normalise(rows, mean, own, weight_values_.data(), bias_values_.data(),
                               save ? normalised.data + first * channels_ : nullptr, y.data + first * y.stride,
                               y.stride);
    }
    return {normalised, inverse, workspace};
}

/// Through the affine map, g = dy * weight reaches the normalised value h; then, with averages over what was
/// normalised together (n values, variance divided by m = n or n - 1),
///   dx = inverse * (g - mean(g) - h * sum(g h) / m).
template <class R>
void Norm<R>::backward(Saved const& saved, Segments segments, View<R const> dy, View<R> dx,
                       std::span<R> gradient) const {
    assert(dx.rows == dy.rows);
    assert(saved.normalised.data ? dy.rows == saved.normalised.rows : gradient.empty() && !inputs_need_saved());
    Block<R const> const all{dy.data, dy.rows, dy.cols, dy.stride};
    if (!gradient.empty() && weight_) {
        kernels<R>().column_sums(all, saved.normalised.data, channels_, gradient_at(gradient, weight_).data());
        kernels<R>().column_sums(all, nullptr, 0, gradient_at(gradient, bias_).data());
    }
    R* const a = saved.workspace;
    R* const b = a + channels_;
    R* const c = b + channels_;
    if (kind_ == NormKind::batch) {
        for (std::size_t i = 0; i < channels_; ++i) a[i] = weight_values_[i] * inverse_values_[i];
        kernels<R>().normalise_backward(all, nullptr, a, nullptr, nullptr, dx.data, dx.stride);
        return;
    }
    for (std::size_t s = 0; s + 1 < segments.size(); ++s) {
        std::size_t const first = segments[s];
        Block<R const> const rows{dy.data + first * dy.stride, segments[s + 1] - first, channels_, dy.stride};
        R const* const h = saved.normalised.data + first * channels_;
        std::fill_n(b, channels_, R{0});
        std::fill_n(c, channels_, R{0});
        kernels<R>().column_sums(rows, nullptr, 0, b);
        kernels<R>().column_sums(rows, h, channels_, c);
        auto n = static_cast<R>(rows.rows);
        auto m = n;
        if (kind_ == NormKind::layer) {
            for (std::size_t i = 1; i < channels_; ++i) {
                b[0] += b[i];
                c[0] += c[i];
            }
            std::fill_n(b, channels_, b[0]);
            std::fill_n(c, channels_, c[0]);
            n *= static_cast<R>(channels_);
            m = n - R{1};
        }
        for (std::size_t i = 0; i < channels_; ++i) {
            a[i] = weight_values_[i] * saved.inverse_deviation[s * channels_ + i];
            b[i] *= -a[i] / n;
            c[i] *= -a[i] / m;
        }
        kernels<R>().normalise_backward(rows, h, a, b, c, dx.data + first * dx.stride, dx.stride);
    }
}

template <class R> void segment_means(View<R const> x, Segments segments, View<R> out) {
    assert(out.rows + 1 == segments.size() && out.cols == x.cols);
    for (std::size_t s = 0; s < out.rows; ++s) {
        std::size_t const count = segments[s + 1] - segments[s];
        std::fill_n(out.row(s), out.cols, R{0});
        kernels<R>().column_sums({x.row(segments[s]), count, x.cols, x.stride}, nullptr, 0, out.row(s));
        for (std::size_t c = 0; c < out.cols; ++c) out(s, c) /= static_cast<R>(count);
    }
}

template class Norm<float>;
template class Norm<double>;
template void segment_means(View<float const>, Segments, View<float>);
template void segment_means(View<double const>, Segments, View<double>);

} // namespace cax::nn
