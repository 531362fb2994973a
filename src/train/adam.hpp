#pragma once
// Adam (Kingma and Ba, ICLR 2015) on a flat vector of parameters.
#include <cstdint>
#include <span>
#include <vector>

namespace cax::train {

class Adam {
public:
    /// `scales`: how far one learning rate takes each number, 0 for those that are never touched (buffers).
    explicit Adam(std::vector<float> scales);

    /// One step downhill along `gradient`, which is that of parameter / scale (see rescale()).
    void step(std::span<float> parameters, std::span<float const> gradient, double learning_rate);

    /// From the gradient of the parameters to that of parameter / scale, in which all directions are alike.
    void rescale(std::span<float> gradient) const;

    /// What a checkpoint keeps.
    [[nodiscard]] std::span<float> first_moment() { return first_; }
    [[nodiscard]] std::span<float> second_moment() { return second_; }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    void set_steps(std::uint64_t steps) { steps_ = steps; }

private:
    std::vector<float> scales_;
    std::vector<float> first_, second_;
    std::uint64_t steps_ = 0;
};

/// Scales the gradient down to `limit` if its Euclidean norm is larger. Returns the norm it had.
double clip_norm(std::span<float> gradient, double limit);

} // namespace cax::train
