#pragma once
// A naive oracle: the tail of a binomial distribution by adding up its probabilities.
#include <cmath>
#include <cstddef>

namespace cax::test {

/// P[X >= successes] for X ~ Binomial(trials, p).
inline double binomial_tail(std::size_t successes, std::size_t trials, double p) {
    double sum = 0;
    for (std::size_t k = successes; k <= trials; ++k) {
        double const n = static_cast<double>(trials);
        double const x = static_cast<double>(k);
        double const log_choose = std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1);
        sum += std::exp(log_choose + x * std::log(p) + (n - x) * std::log1p(-p));
    }
    return sum;
}

} // namespace cax::test
