#include "adam.hpp"

#include <cmath>
#include <iterator>
#include <numeric>

namespace cax::train {

Adam::Adam(std::vector<float> scales) : scales_(std::move(scales)), first_(scales_.size()), second_(scales_.size()) {}

void Adam::rescale(std::span<float> gradient) const {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] *= scales_[i];
}

void Adam::step(std::span<float> parameters, std::span<float const> gradient, double learning_rate) {
    constexpr float beta_1 = 0.9F, beta_2 = 0.999F, epsilon = 1e-8F;
    ++steps_;
    auto const t = static_cast<double>(steps_);
    auto const rate = static_cast<float>(learning_rate / (1 - std::pow(0.9, t)));
    auto const correction = static_cast<float>(1 / (1 - std::pow(0.999, t)));
    // No branch and no call in the loop: the compiler makes vectors of it.
    float* const p = parameters.data();
    float const* const g = gradient.data();
    float* const m = first_.data();
    float* const v = second_.data();
    float const* const scale = scales_.data();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        m[i] = beta_1 * m[i] + (1 - beta_1) * g[i];
        v[i] = beta_2 * v[i] + (1 - beta_2) * g[i] * g[i];
        p[i] -= rate * scale[i] * m[i] / (std::sqrt(v[i] * correction) + epsilon);
    }
}

double clip_norm(std::span<float> gradient, double limit) {
    double sums[8]{}; // that do not wait for each other
    std::size_t i = 0;
    for (; i + 8 <= gradient.size(); i += 8)
        for (std::size_t k = 0; k < 8; ++k) sums[k] += double{gradient[i + k]} * double{gradient[i + k]};
    for (; i < gradient.size(); ++i) sums[0] += double{gradient[i]} * double{gradient[i]};
    double const norm = std::sqrt(std::accumulate(std::begin(sums), std::end(sums), 0.0));
    if (!(norm > limit)) return norm;
    auto const scale = static_cast<float>(limit / norm);
    for (float& g : gradient) g *= scale;
    return norm;
}

} // namespace cax::train
