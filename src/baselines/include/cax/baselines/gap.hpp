#pragma once
// How far a cost is from the best one known, as a fraction. The sign follows the objective: a gap above 0 is always
// worse than the best known, one below 0 is better, whether lengths are minimised or prizes maximised.
#include "cax/core/result.hpp"
#include "cax/problems/problem.hpp"

#include <span>

namespace cax {

/// (cost - best_known) / |best_known|, negated where the objective is maximised. Where the best known cost is 0 there
/// is no such fraction: 0 if the cost is 0 as well, else an error.
[[nodiscard]] Result<double> optimality_gap(Objective objective, double cost, double best_known);

struct GapSummary {
    double mean = 0;
    double deviation = 0; ///< of the sample (divided by n - 1); 0 for a single gap
    double largest = 0;
};
/// Precondition: there is at least one gap.
[[nodiscard]] GapSummary summarise_gaps(std::span<double const> gaps);

} // namespace cax
