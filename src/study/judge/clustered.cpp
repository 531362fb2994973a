// Statistics of cases that come in clusters: decisions of one instance are not independent, so whole instances are
// resampled.
#include "cax/study/statistics.hpp"

#include "cax/core/rng.hpp"
#include "judge/percentile.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace cax::study {
namespace {

constexpr std::uint32_t means_stream = 3;
constexpr std::uint32_t kappas_stream = 4;
constexpr std::uint32_t summaries_stream = 5;

/// The place of every case's cluster among the clusters, and how many there are.
std::pair<std::vector<std::size_t>, std::size_t> cluster_places(std::span<std::size_t const> cluster) {
    std::vector<std::size_t> names(cluster.begin(), cluster.end());
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::vector<std::size_t> places;
    for (std::size_t const name : cluster) {
        places.push_back(static_cast<std::size_t>(std::ranges::lower_bound(names, name) - names.begin()));
    }
    return {std::move(places), names.size()};
}

/// Rows of `width` counts, one per cluster; counts of clusters add up.
std::optional<double> kappa_of(std::vector<double> const& counts, std::size_t labels) {
    double cases = 0;
    double right = 0;
    double chance = 0;
    for (std::size_t i = 0; i < labels; ++i) {
        double row = 0;
        double column = 0;
        for (std::size_t j = 0; j < labels; ++j) {
            row += counts[i * labels + j];
            column += counts[j * labels + i];
        }
        cases += row;
        right += counts[i * labels + i];
        chance += row * column;
    }
    if (cases == 0 || chance == cases * cases) return std::nullopt;
    chance /= cases * cases;
    return (right / cases - chance) / (1 - chance);
}

/// Places in ascending order, equal values at the mean of theirs.
std::vector<double> ranks_of(std::span<double const> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(values[i], i); });
    std::vector<double> ranks(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
        for (std::size_t j = i; j < end; ++j) ranks[order[j]] = static_cast<double>(i + end - 1) / 2;
        i = end;
    }
    return ranks;
}

} // namespace

Difference clustered_mean(std::span<double const> values, std::span<std::size_t const> cluster,
                          BootstrapOptions const& options) {
    assert(values.size() == cluster.size());
    if (values.empty() || options.resamples == 0) return {};
    auto const [places, clusters] = cluster_places(cluster);
    std::vector<double> sums(clusters);
    std::vector<double> counts(clusters);
    for (std::size_t i = 0; i < values.size(); ++i) {
        sums[places[i]] += values[i];
        ++counts[places[i]];
    }
    std::vector<double> means;
    for (std::size_t r = 0; r < options.resamples; ++r) {
        Rng rng(options.seed, static_cast<std::uint32_t>(r), 0, means_stream);
        double sum = 0;
        double count = 0;
        for (std::size_t c = 0; c < clusters; ++c) {
            std::size_t const drawn = rng.below(clusters);
            sum += sums[drawn];
            count += counts[drawn];
        }
        means.push_back(sum / count);
    }
    return percentile_interval(mean(values), std::move(means), options.confidence);
}

std::optional<Difference> clustered_summary(std::span<double const> values, std::span<std::size_t const> cluster,
                                            Summary const& summary, BootstrapOptions const& options) {
    assert(values.size() == cluster.size());
    if (values.empty()) return std::nullopt;
    auto const [places, clusters] = cluster_places(cluster);
    std::vector<std::vector<double>> members(clusters);
    for (std::size_t i = 0; i < values.size(); ++i) members[places[i]].push_back(values[i]);
    double const point = summary({values.begin(), values.end()});
    std::vector<double> found{};
    for (std::size_t r = 0; r < options.resamples; ++r) {
        Rng rng(options.seed, static_cast<std::uint32_t>(r), 0, summaries_stream);
        std::vector<double> drawn;
        for (std::size_t c = 0; c < clusters; ++c) {
            auto const& own = members[rng.below(clusters)];
            drawn.insert(drawn.end(), own.begin(), own.end());
        }
        found.push_back(summary(drawn));
    }
    if (found.empty()) return Difference{point, point, point};
    return percentile_interval(point, std::move(found), options.confidence);
}

Difference wilson_interval(double share, double cases) {
    assert(cases > 0);
    constexpr double z = 1.959963984540054;
    double const width = z * z / cases;
    double const centre = (share + width / 2) / (1 + width);
    double const half = z * std::sqrt(share * (1 - share) / cases + width / (4 * cases)) / (1 + width);
    return {share, std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

Difference interval_of_three_runs(double mean, double deviation) {
    constexpr double t = 4.302652729749464; // 97.5 % of Student's distribution with two degrees of freedom
    double const half = t * deviation / std::sqrt(3.0);
    return {mean, mean - half, mean + half};
}

std::optional<Difference> clustered_kappa(std::span<Label const> a, std::span<Label const> b, std::size_t labels,
                                          std::span<std::size_t const> cluster, BootstrapOptions const& options) {
    assert(a.size() == b.size() && a.size() == cluster.size());
    auto const [places, clusters] = cluster_places(cluster);
    std::size_t const width = labels * labels;
    std::vector<double> counts(clusters * width);
    std::vector<double> all(width);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!a[i] || !b[i]) continue;
        std::size_t const place = *a[i] * labels + *b[i];
        ++counts[places[i] * width + place];
        ++all[place];
    }
    auto const point = kappa_of(all, labels);
    if (!point) return std::nullopt;
    std::vector<double> kappas;
    std::vector<double> drawn(width);
    for (std::size_t r = 0; r < options.resamples; ++r) {
        Rng rng(options.seed, static_cast<std::uint32_t>(r), 0, kappas_stream);
        std::ranges::fill(drawn, 0);
        for (std::size_t c = 0; c < clusters; ++c) {
            double const* const row = counts.data() + rng.below(clusters) * width;
            for (std::size_t i = 0; i < width; ++i) drawn[i] += row[i];
        }
        if (auto const kappa = kappa_of(drawn, labels)) kappas.push_back(*kappa);
    }
    if (kappas.empty()) return Difference{*point, *point, *point};
    return percentile_interval(*point, std::move(kappas), options.confidence);
}

std::optional<double> rank_correlation(std::span<double const> a, std::span<double const> b) {
    assert(a.size() == b.size());
    if (a.size() < 2) return std::nullopt;
    auto const x = ranks_of(a);
    auto const y = ranks_of(b);
    double const centre = static_cast<double>(a.size() - 1) / 2;
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - centre) * (y[i] - centre);
        xx += (x[i] - centre) * (x[i] - centre);
        yy += (y[i] - centre) * (y[i] - centre);
    }
    if (xx == 0 || yy == 0) return std::nullopt;
    return xy / std::sqrt(xx * yy);
}

} // namespace cax::study
