#include "orthogonal.hpp"

#include <cmath>
#include <utility>

namespace cax::train {
namespace {

nn::View<float> view(std::vector<float>& values, std::size_t rows, std::size_t cols) {
    return {values.data(), rows, cols, cols};
}

} // namespace

void Orthogonaliser::apply(std::span<float> matrix, std::size_t rows) {
    constexpr int steps = 5;
    constexpr float linear = 3.4445F, cubic = -4.7750F, quintic = 2.0315F;
    std::size_t const cols = matrix.size() / rows;
    bool const tall = rows > cols; // then the transposed matrix is worked on, whose products are smaller
    std::size_t const n = tall ? cols : rows, k = tall ? rows : cols;
    auto const place = [&](std::size_t i, std::size_t j) { return tall ? j * cols + i : i * cols + j; };

    double squares = 0;
    for (float const value : matrix) squares += double{value} * double{value};
    if (squares == 0) return;
    auto const scale = static_cast<float>(1 / std::sqrt(squares)); // no singular value above 1
    x_.resize(n * k);
    next_.resize(n * k);
    gram_.resize(n * n);
    polynomial_.resize(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < k; ++j) x_[i * k + j] = scale * matrix[place(i, j)];

    nn::View<float> const gram = view(gram_, n, n), polynomial = view(polynomial_, n, n);
    for (int step = 0; step < steps; ++step) { // X <- (linear I + cubic A + quintic A^2) X with A = X X^T
        right_.assign_transposed(view(x_, n, k));
        nn::multiply<float>(view(x_, n, k), right_, gram);
        right_.assign(gram);
        nn::multiply<float>(gram, right_, polynomial);
        for (std::size_t i = 0; i < n * n; ++i) polynomial_[i] = cubic * gram_[i] + quintic * polynomial_[i];
        for (std::size_t i = 0; i < n; ++i) polynomial_[i * n + i] += linear;
        right_.assign(view(x_, n, k));
        nn::multiply<float>(polynomial, right_, view(next_, n, k));
        std::swap(x_, next_);
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < k; ++j) matrix[place(i, j)] = x_[i * k + j];
}

} // namespace cax::train
