#pragma once
// How sure a share of successes makes us: one-sided bounds on a success probability from independent trials. Exact
// ones (Clopper and Pearson, 1934) for every statement that is made, Hoeffding's beside them because the paper sizes
// its samples with it. All bounds hold with probability at least 1 - alpha.
//
// Preconditions everywhere: successes <= trials, 0 < alpha < 1. No trials say nothing: the bounds are then 0.
#include "cax/core/result.hpp"

#include <cstddef>

namespace cax {

/// The smallest probability under which as many successes have probability alpha.
[[nodiscard]] double clopper_pearson_lower(std::size_t successes, std::size_t trials, double alpha);

/// rate - sqrt(log(1 / alpha) / (2 trials)), not below 0.
[[nodiscard]] double hoeffding_lower(std::size_t successes, std::size_t trials, double alpha);

/// ceil(log(2 tests / delta) / (2 epsilon^2)): trials for each of `tests` tests so that, with probability at least
/// 1 - delta, every observed rate is within epsilon of its probability. Error if epsilon or delta is not between 0
/// and 1, tests is 0, or more than a million trials would be needed.
[[nodiscard]] Result<std::size_t> hoeffding_trials(double epsilon, double delta, std::size_t tests);

} // namespace cax
