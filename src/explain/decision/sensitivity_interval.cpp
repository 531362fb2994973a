#include "cax/explain/sensitivity_interval.hpp"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cassert>
#include <cmath>

namespace cax {
namespace {

/// All answers as shares of the whole, values from 0 to 1.
struct Sample {
    double mean = 0;
    double variance = 0; ///< of the answers
    double count = 0;    ///< so many equally weighted answers would scatter as much; 0 = there are none
};

Sample sample_of(std::span<std::vector<StratumAnswer> const> sizes, double largest) {
    auto const used = static_cast<double>(
        std::ranges::count_if(sizes, [](std::vector<StratumAnswer> const& size) { return !size.empty(); }));
    Sample sample;
    double squared_weights = 0;
    double squares = 0;
    for (auto const& size : sizes) {
        for (auto const& [weight, value] : size) {
            assert(value >= 0 && value <= largest * (1 + 1e-9));
            double const share = weight / used;
            double const part = std::clamp(value / largest, 0.0, 1.0);
            sample.mean += share * part;
            squares += share * part * part;
            squared_weights += share * share;
        }
    }
    if (squared_weights == 0) return sample;
    sample.mean = std::clamp(sample.mean, 0.0, 1.0);
    sample.count = 1 / squared_weights;
    double const spread = std::max(squares - sample.mean * sample.mean, 0.0);
    sample.variance = sample.count > 1 ? spread * sample.count / (sample.count - 1) : 0;
    return sample;
}

double beta_quantile(double a, double b, double probability) {
    return boost::math::quantile(boost::math::beta_distribution<double>(a, b), probability);
}

/// Clopper and Pearson's, with parts of a success.
SensitivityInterval exact_interval(Sample const& sample, double alpha) {
    constexpr double nothing = 1e-12; // sums of weights are not exactly 0 or 1
    double const hits = sample.mean * sample.count, misses = sample.count - hits;
    return {hits <= nothing ? 0 : beta_quantile(hits, misses + 1, alpha / 2),
            misses <= nothing ? 1 : beta_quantile(hits + 1, misses, 1 - alpha / 2)};
}

/// Maurer and Pontil's empirical Bernstein bound, on both sides.
SensitivityInterval scatter_interval(Sample const& sample, double alpha) {
    double const log_term = std::log(4 / alpha);
    double const width =
        std::sqrt(2 * sample.variance * log_term / sample.count) + 7 * log_term / (3 * std::max(sample.count - 1, 1.0));
    return {std::max(sample.mean - width, 0.0), std::min(sample.mean + width, 1.0)};
}

double width_of(SensitivityInterval const& interval) { return interval.high - interval.low; }

} // namespace

SensitivityInterval rate_interval(std::span<std::vector<StratumAnswer> const> sizes, double confidence) {
    assert(confidence > 0 && confidence < 1);
    Sample const sample = sample_of(sizes, 1);
    return sample.count == 0 ? SensitivityInterval{0, 1} : exact_interval(sample, 1 - confidence);
}

SensitivityInterval mean_interval(std::span<std::vector<StratumAnswer> const> sizes, double largest,
                                  double confidence) {
    assert(confidence > 0 && confidence < 1 && largest > 0);
    Sample const sample = sample_of(sizes, largest);
    if (sample.count == 0) return {0, largest};
    SensitivityInterval const exact = exact_interval(sample, 1 - confidence);
    SensitivityInterval const scatter = scatter_interval(sample, 1 - confidence);
    auto const& [low, high] = width_of(scatter) < width_of(exact) ? scatter : exact;
    return {low * largest, high * largest};
}

} // namespace cax
