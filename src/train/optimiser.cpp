#include "optimiser.hpp"

#include "cax/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace cax::train {

Optimiser::Optimiser(StepPlan plan, std::size_t threads)
    : plan_(std::move(plan)),
      first_(plan_.scales.size()),
      second_(plan_.scales.size()),
      threads_(threads),
      orthogonalisers_(thread_count(threads)) {
    std::size_t begin = 0;
    for (MatrixSlice const& matrix : plan_.matrices) {
        if (begin < matrix.offset) rest_.push_back({begin, matrix.offset});
        begin = matrix.offset + matrix.rows * matrix.cols;
    }
    if (begin < plan_.scales.size()) rest_.push_back({begin, plan_.scales.size()});
}

void Optimiser::rescale(std::span<float> gradient) const {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] *= plan_.scales[i];
}

void Optimiser::step(std::span<float> parameters, std::span<float> gradient, double learning_rate) {
    ++steps_;
    for (Range const range : rest_) adam(range, parameters.data(), gradient.data(), learning_rate);
    parallel_for(plan_.matrices.size(), threads_, [&](std::size_t i, std::size_t worker) {
        muon(plan_.matrices[i], parameters.data(), gradient.data(), learning_rate, orthogonalisers_[worker]);
    });
}

void Optimiser::adam(Range range, float* parameters, float const* gradient, double learning_rate) {
    constexpr float beta_1 = 0.9F, beta_2 = 0.999F, epsilon = 1e-8F;
    auto const t = static_cast<double>(steps_);
    auto const rate = static_cast<float>(learning_rate / (1 - std::pow(0.9, t)));
    auto const correction = static_cast<float>(1 / (1 - std::pow(0.999, t)));
    // No branch and no call in the loop: the compiler makes vectors of it.
    float* const p = parameters + range.begin;
    float const* const g = gradient + range.begin;
    float* const m = first_.data() + range.begin;
    float* const v = second_.data() + range.begin;
    float const* const scale = plan_.scales.data() + range.begin;
    for (std::size_t i = 0; i < range.end - range.begin; ++i) {
        m[i] = beta_1 * m[i] + (1 - beta_1) * g[i];
        v[i] = beta_2 * v[i] + (1 - beta_2) * g[i] * g[i];
        p[i] -= rate * scale[i] * m[i] / (std::sqrt(v[i] * correction) + epsilon);
    }
}

void Optimiser::muon(MatrixSlice const& matrix, float* parameters, float* gradient, double learning_rate,
                     Orthogonaliser& orthogonaliser) {
    constexpr float beta = 0.95F;
    std::size_t const size = matrix.rows * matrix.cols;
    float* const p = parameters + matrix.offset;
    float* const g = gradient + matrix.offset;
    float* const m = first_.data() + matrix.offset;
    for (std::size_t i = 0; i < size; ++i) {
        m[i] = beta * m[i] + (1 - beta) * g[i];
        g[i] = beta * m[i] + (1 - beta) * g[i]; // Nesterov's look ahead
    }
    orthogonaliser.apply({g, size}, matrix.rows);
    // An entry of an orthogonal matrix is of order 1 / sqrt(longer side), a step of Adam in practice 0.2 learning rates
    // (Liu et al., "Muon is scalable for LLM training", 2025): one learning rate suits both.
    auto const rate =
        static_cast<float>(0.2 * learning_rate * std::sqrt(static_cast<double>(std::max(matrix.rows, matrix.cols))));
    for (std::size_t i = 0; i < size; ++i) p[i] -= rate * g[i];
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
