#include "multipliers/ascent.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cax {

AscentResult ascend(LagrangianRelaxation const& relaxation, double penalty_sign) {
    constexpr double least_improvement = 1e-4;
    constexpr double least_violation = 1e-4; // of the sum of squares
    constexpr double least_alpha = 1e-6;
    constexpr std::size_t stalls_per_halving = 10;

    AscentSettings const& settings = relaxation.settings();
    std::vector<double> lambda(settings.dualised.size());
    AscentResult best{lambda, -std::numeric_limits<double>::infinity(), 0, 0, false};
    double alpha = settings.step;
    std::size_t stalls = 0;
    for (std::size_t iteration = 0; iteration < settings.iterations; ++iteration) {
        ++best.iterations;
        RelaxedSolution const relaxed = relaxation.solve(lambda);
        std::vector<double> const& g = relaxed.violation;
        double const penalty = std::inner_product(g.begin(), g.end(), lambda.begin(), 0.0);
        double const value = relaxed.cost + penalty_sign * penalty;
        if (value > best.best_value + least_improvement) {
            best.best_value = value;
            best.lambda = lambda;
            best.best_iteration = iteration;
            stalls = 0;
        } else if (++stalls == stalls_per_halving) {
            alpha = std::max(least_alpha, alpha / 2);
            stalls = 0;
        }
        double const square = std::inner_product(g.begin(), g.end(), g.begin(), 0.0);
        best.converged = square < least_violation;
        if (best.converged) break;
        double const step = settings.upper_bound ? alpha * std::max(0.0, *settings.upper_bound - value) / square
                                                 : alpha / (1 + static_cast<double>(iteration));
        for (std::size_t k = 0; k < lambda.size(); ++k) {
            if (settings.dualised[k] != 0) lambda[k] = std::max(0.0, lambda[k] + step * g[k]);
        }
    }
    return best;
}

} // namespace cax
