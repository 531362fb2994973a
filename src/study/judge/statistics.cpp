#include "cax/study/statistics.hpp"

#include "cax/core/rng.hpp"
#include "judge/percentile.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cassert>
#include <cmath>
#include <numeric>

namespace cax::study {

double mean(std::span<double const> values) {
    if (values.empty()) return 0;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sample_std(std::span<double const> values) {
    if (values.size() < 2) return 0;
    double const centre = mean(values);
    double squares = 0;
    for (double const value : values) squares += (value - centre) * (value - centre);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<double> median(std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    std::ranges::sort(values);
    std::size_t const half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

namespace {

std::size_t ones(Outcomes outcomes) { return static_cast<std::size_t>(std::ranges::count(outcomes, 1)); }

} // namespace

double share_of_ones(Outcomes outcomes) {
    if (outcomes.empty()) return 0;
    return static_cast<double>(ones(outcomes)) / static_cast<double>(outcomes.size());
}

double mcnemar_p(std::size_t b01, std::size_t b10) {
    std::size_t const discordant = b01 + b10;
    if (discordant == 0) return 1;
    boost::math::binomial const coin(static_cast<double>(discordant), 0.5);
    return std::min(1.0, 2 * cdf(coin, static_cast<double>(std::min(b01, b10))));
}

McNemar mcnemar(Outcomes a, Outcomes b) {
    assert(a.size() == b.size());
    McNemar test;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == 0 && b[i] != 0) ++test.b01;
        if (a[i] != 0 && b[i] == 0) ++test.b10;
    }
    test.p = mcnemar_p(test.b01, test.b10);
    return test;
}

namespace {

/// `stream_of(resample)` gives what draws the indices of that resample.
template <class NewStream>
Difference bootstrap(Outcomes a, Outcomes b, BootstrapOptions const& options, NewStream&& stream_of) {
    assert(a.size() == b.size());
    if (a.empty() || options.resamples == 0) return {};
    auto const n = static_cast<double>(a.size());
    std::vector<double> differences;
    differences.reserve(options.resamples);
    for (std::size_t r = 0; r < options.resamples; ++r) {
        auto&& draw = stream_of(r);
        std::size_t right_a = 0;
        std::size_t right_b = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            std::size_t const chosen = draw();
            right_a += a[chosen];
            right_b += b[chosen];
        }
        differences.push_back(static_cast<double>(right_a) / n - static_cast<double>(right_b) / n);
    }
    return percentile_interval(share_of_ones(a) - share_of_ones(b), std::move(differences), options.confidence);
}

constexpr std::uint32_t pairs_stream = 1;
constexpr std::uint32_t clusters_stream = 2;

} // namespace

Difference paired_bootstrap(Outcomes a, Outcomes b, BootstrapOptions const& options) {
    return bootstrap(a, b, options, [&](std::size_t r) {
        return [rng = Rng(options.seed, static_cast<std::uint32_t>(r), 0, pairs_stream), n = a.size()]() mutable {
            return static_cast<std::size_t>(rng.below(n));
        };
    });
}

Difference clustered_bootstrap(Outcomes a, Outcomes b, std::span<std::size_t const> cluster,
                               BootstrapOptions const& options) {
    assert(a.size() == b.size() && a.size() == cluster.size());
    struct Sum {
        std::size_t cases = 0;
        std::size_t right_a = 0;
        std::size_t right_b = 0;
    };
    if (a.empty() || options.resamples == 0) return {};
    std::vector<std::size_t> names(cluster.begin(), cluster.end());
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::vector<Sum> sums(names.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        Sum& sum = sums[static_cast<std::size_t>(std::ranges::lower_bound(names, cluster[i]) - names.begin())];
        ++sum.cases;
        sum.right_a += a[i];
        sum.right_b += b[i];
    }
    std::vector<double> differences;
    for (std::size_t r = 0; r < options.resamples; ++r) {
        Rng rng(options.seed, static_cast<std::uint32_t>(r), 0, clusters_stream);
        Sum drawn;
        for (std::size_t c = 0; c < sums.size(); ++c) {
            Sum const& one = sums[rng.below(sums.size())];
            drawn.cases += one.cases;
            drawn.right_a += one.right_a;
            drawn.right_b += one.right_b;
        }
        auto const cases = static_cast<double>(drawn.cases);
        differences.push_back(static_cast<double>(drawn.right_a) / cases - static_cast<double>(drawn.right_b) / cases);
    }
    return percentile_interval(share_of_ones(a) - share_of_ones(b), std::move(differences), options.confidence);
}

} // namespace cax::study
