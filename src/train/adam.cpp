#include "adam.hpp"

#include <cmath>

namespace cax::train {

Adam::Adam(std::vector<std::uint8_t> movable)
    : movable_(std::move(movable)), first_(movable_.size()), second_(movable_.size()) {}

void Adam::step(std::span<float> parameters, std::span<float const> gradient, double learning_rate) {
    constexpr double beta_1 = 0.9, beta_2 = 0.999, epsilon = 1e-8;
    ++steps_;
    auto const t = static_cast<double>(steps_);
    double const correction_1 = 1 - std::pow(beta_1, t), correction_2 = 1 - std::pow(beta_2, t);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!movable_[i]) continue;
        double const g = gradient[i];
        double const m = beta_1 * first_[i] + (1 - beta_1) * g;
        double const v = beta_2 * second_[i] + (1 - beta_2) * g * g;
        first_[i] = static_cast<float>(m);
        second_[i] = static_cast<float>(v);
        double const move = learning_rate * (m / correction_1) / (std::sqrt(v / correction_2) + epsilon);
        parameters[i] = static_cast<float>(parameters[i] - move);
    }
}

double clip_norm(std::span<float> gradient, double limit) {
    double squares = 0;
    for (float const g : gradient) squares += double{g} * double{g};
    double const norm = std::sqrt(squares);
    if (!(norm > limit)) return norm;
    auto const scale = static_cast<float>(limit / norm);
    for (float& g : gradient) g *= scale;
    return norm;
}

} // namespace cax::train
