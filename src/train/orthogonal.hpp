#pragma once
#include "cax/nn/gemm.hpp"

#include <span>
#include <vector>

namespace cax::train {

/// Makes matrices nearly orthogonal: the rotations of U S V^T stay, its singular values all move to about 1 (0.7 to
/// 1.2), by five steps of a quintic Newton-Schulz iteration, which needs nothing but products. The coefficients are
/// those of Jordan et al., "Muon: an optimizer for hidden layers in neural networks" (2024). One per thread, reused.
class Orthogonaliser {
public:
    /// `matrix` is row-major, `rows` rows. A matrix of zeros stays one.
    void apply(std::span<float> matrix, std::size_t rows);

private:
    std::vector<float> x_, next_, gram_, polynomial_;
    nn::PackedMatrix<float> right_;
};

} // namespace cax::train
