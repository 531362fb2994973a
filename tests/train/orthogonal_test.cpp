#include "orthogonal.hpp"

#include "cax/core/rng.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace cax::train {
namespace {

std::vector<float> random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<float> matrix(rows * cols);
    for (float& value : matrix) value = static_cast<float>(rng.uniform(-1, 1));
    return matrix;
}

/// |M v| / |v| for a vector on the shorter side: between the smallest and the largest singular value.
double stretch(std::vector<float> const& m, std::size_t rows, std::vector<double> const& v) {
    std::size_t const cols = m.size() / rows;
    bool const tall = rows > cols;
    std::vector<double> image(std::max(rows, cols));
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j) image[tall ? i : j] += double{m[i * cols + j]} * v[tall ? j : i];
    double before = 0, after = 0;
    for (double const x : v) before += x * x;
    for (double const x : image) after += x * x;
    return std::sqrt(after / before);
}

TEST(Orthogonaliser, BringsAllSingularValuesNearOne) {
    Orthogonaliser orthogonaliser;
    for (auto const& [rows, cols] : {std::pair<std::size_t, std::size_t>{32, 32}, {48, 128}, {128, 48}, {7, 5}}) {
        auto matrix = random_matrix(rows, cols, rows);
        orthogonaliser.apply(matrix, rows);
        Rng rng(cols);
        for (int i = 0; i < 200; ++i) {
            std::vector<double> v(std::min(rows, cols));
            for (double& x : v) x = rng.uniform(-1, 1);
            double const length = stretch(matrix, rows, v);
            EXPECT_GT(length, 0.6) << rows << " x " << cols;
            EXPECT_LT(length, 1.3) << rows << " x " << cols;
        }
    }
}

TEST(Orthogonaliser, KeepsTheDirectionsOfADiagonalMatrix) {
    Orthogonaliser orthogonaliser;
    std::vector<float> matrix{5, 0, 0, 0, -0.5F, 0, 0, 0, 2};
    orthogonaliser.apply(matrix, 3);
    for (std::size_t const i : {1, 2, 3, 5, 6, 7}) EXPECT_NEAR(matrix[i], 0, 1e-6);
    EXPECT_NEAR(matrix[0], 1, 0.35);
    EXPECT_NEAR(matrix[4], -1, 0.35);
    EXPECT_NEAR(matrix[8], 1, 0.35);
}

TEST(Orthogonaliser, DoesNotCareAboutTheSizeOfAMatrixOrWhetherItIsTransposed) {
    Orthogonaliser orthogonaliser;
    auto const start = random_matrix(6, 10, 3);
    auto plain = start, large = start, flipped = start;
    for (float& value : large) value *= 1024;
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 10; ++j) flipped[j * 6 + i] = start[i * 10 + j];
    orthogonaliser.apply(plain, 6);
    orthogonaliser.apply(large, 6);
    orthogonaliser.apply(flipped, 10);
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 10; ++j) {
            EXPECT_FLOAT_EQ(large[i * 10 + j], plain[i * 10 + j]);
            EXPECT_FLOAT_EQ(flipped[j * 6 + i], plain[i * 10 + j]);
        }
}

TEST(Orthogonaliser, LeavesZerosAlone) {
    Orthogonaliser orthogonaliser;
    std::vector<float> matrix(12);
    orthogonaliser.apply(matrix, 3);
    EXPECT_EQ(matrix, std::vector<float>(12));
}

} // namespace
} // namespace cax::train
