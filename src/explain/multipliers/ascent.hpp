#pragma once
// Subgradient ascent on a Lagrangian relaxation, step by step as published with the paper.
#include "cax/problems/lagrangian.hpp"

namespace cax {

struct AscentResult {
    std::vector<double> lambda; ///< per family, of the best value; 0 where not dualised
    double best_value = 0;
    std::size_t iterations = 0;
    std::size_t best_iteration = 0; ///< counted from 0
    bool converged = false;         ///< nothing was violated any more
};

/// `penalty_sign` is +1 for the Lagrangian cost + lambda'g, -1 for cost - lambda'g.
[[nodiscard]] AscentResult ascend(LagrangianRelaxation const& relaxation, double penalty_sign);

} // namespace cax
