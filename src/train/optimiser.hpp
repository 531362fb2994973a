#pragma once
// Moves a flat vector of parameters downhill. Matrices inside the network take steps of Muon (Jordan et al., 2024): the
// averaged gradient, made orthogonal, so that every direction learns at the same speed. All other numbers (biases,
// norms, and weights that read inputs) take steps of Adam (Kingma and Ba, ICLR 2015).
#include "cax/policies/trainable.hpp"
#include "orthogonal.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cax::train {

class Optimiser {
public:
    explicit Optimiser(StepPlan plan, std::size_t threads = 1);

    /// One step downhill along `gradient`, which is that of parameter / scale (see rescale()). Its numbers are used up.
    void step(std::span<float> parameters, std::span<float> gradient, double learning_rate);

    /// From the gradient of the parameters to that of parameter / scale, in which all directions are alike.
    void rescale(std::span<float> gradient) const;

    /// What a checkpoint keeps.
    [[nodiscard]] std::span<float> first_moment() { return first_; }
    [[nodiscard]] std::span<float> second_moment() { return second_; } ///< 0 for matrices, which need none
    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    void set_steps(std::uint64_t steps) { steps_ = steps; }

private:
    struct Range {
        std::size_t begin = 0, end = 0;
    };
    void adam(Range range, float* parameters, float const* gradient, double learning_rate);
    void muon(MatrixSlice const& matrix, float* parameters, float* gradient, double learning_rate,
              Orthogonaliser& orthogonaliser);

    StepPlan plan_;
    std::vector<Range> rest_; ///< what lies between the matrices
    std::vector<float> first_, second_;
    std::uint64_t steps_ = 0;
    std::size_t threads_;
    std::vector<Orthogonaliser> orthogonalisers_; ///< one per thread
};

/// Scales the gradient down to `limit` if its Euclidean norm is larger. Returns the norm it had.
double clip_norm(std::span<float> gradient, double limit);

} // namespace cax::train
