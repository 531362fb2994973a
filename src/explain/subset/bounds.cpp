#include "cax/explain/bounds.hpp"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

/// P[X >= s] for X ~ Binomial(n, p) is the Beta(s, n - s + 1) distribution function at p, so that the bound is a
/// quantile of it.
double beta_quantile(double a, double b, double probability) {
    return boost::math::quantile(boost::math::beta_distribution<double>(a, b), probability);
}

bool is_probability(double value) { return value > 0 && value < 1; } // false for NaN

} // namespace

double clopper_pearson_lower(std::size_t successes, std::size_t trials, double alpha) {
    assert(successes <= trials && is_probability(alpha));
    if (successes == 0) return 0;
    return beta_quantile(static_cast<double>(successes), static_cast<double>(trials - successes + 1), alpha);
}

double hoeffding_lower(std::size_t successes, std::size_t trials, double alpha) {
    assert(successes <= trials && is_probability(alpha));
    if (trials == 0) return 0;
    double const n = static_cast<double>(trials);
    return std::max(0.0, static_cast<double>(successes) / n - std::sqrt(std::log(1 / alpha) / (2 * n)));
}

Result<std::size_t> hoeffding_trials(double epsilon, double delta, std::size_t tests) {
    constexpr double most = 1e6;
    if (!is_probability(epsilon)) {
        return Error{ErrorCode::invalid_value, fmt::format("epsilon: {} is not between 0 and 1", epsilon)};
    }
    if (!is_probability(delta)) {
        return Error{ErrorCode::invalid_value, fmt::format("delta: {} is not between 0 and 1", delta)};
    }
    if (tests == 0) return Error{ErrorCode::invalid_value, "tests: 0 tests need no trials"};
    double const trials =
        std::ceil((std::log(2 * static_cast<double>(tests)) - std::log(delta)) / (2 * epsilon * epsilon));
    if (!(trials <= most)) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("epsilon: {} asks for {:.3g} trials, more than a million", epsilon, trials)};
    }
    return static_cast<std::size_t>(trials);
}

} // namespace cax
