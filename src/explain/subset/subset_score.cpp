#include "cax/explain/subset_score.hpp"

#include "median.hpp"

#include <algorithm>
#include <numeric>

namespace cax {
namespace {

double mean(std::vector<double> const& values) {
    return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> median_if_any(std::vector<double> const& values) {
    return values.empty() ? std::nullopt : std::optional(median(values));
}

SubsetScore::Exact score_exact(std::span<Subset const> subsets, SubsetOptions const& options) {
    SubsetScore::Exact score;
    std::vector<double> smallest;
    std::vector<double> scanned;
    for (Subset const& subset : subsets) {
        if (!subset.exact) continue;
        ExactSubset const& exact = *subset.exact;
        ++score.searched;
        score.forward_passes += exact.forward_passes;
        score.found += exact.found ? 1 : 0;
        score.proven += exact.proven ? 1 : 0;
        score.scan_missed += exact.found && !subset.accepted ? 1 : 0;
        score.confirmed += exact.found && exact.fresh.lower_bound >= 1 - options.epsilon ? 1 : 0;
        if (!exact.proven || !subset.accepted) continue;
        ++score.both;
        score.optimal += exact.nodes.size() == subset.size() ? 1 : 0;
        smallest.push_back(static_cast<double>(exact.nodes.size()));
        scanned.push_back(static_cast<double>(subset.size()));
    }
    score.mean_size = mean(smallest);
    score.mean_scan_size = mean(scanned);
    return score;
}

} // namespace

SubsetScore score_subsets(std::span<Subset const> subsets, SubsetOptions const& options) {
    SubsetScore score;
    std::vector<double> sizes, sizes_of_all, areas, accepted_margins, rejected_margins;
    for (Subset const& subset : subsets) {
        ++score.decisions;
        score.forced += subset.forced ? 1 : 0;
        score.forward_passes += subset.forward_passes;
        score.fixed_passes += subset.fixed_passes;
        sizes_of_all.push_back(static_cast<double>(subset.accepted ? subset.size() : options.k_max + 1));
        if (subset.accepted) {
            ++score.accepted;
            sizes.push_back(static_cast<double>(subset.size()));
            score.max_size = std::max(score.max_size, subset.size());
        }
        if (!subset.forced) (subset.accepted ? accepted_margins : rejected_margins).push_back(subset.margin);
        if (auto const area = subset.area_under_curve()) areas.push_back(*area);
    }
    score.mean_size = mean(sizes);
    score.median_size = median(sizes);
    score.mean_size_of_all = mean(sizes_of_all);
    score.margin_accepted = median_if_any(accepted_margins);
    score.margin_rejected = median_if_any(rejected_margins);
    if (options.curve && areas.size() == subsets.size() && !areas.empty()) score.area_under_curve = mean(areas);
    auto const searched = [](Subset const& subset) { return subset.exact.has_value(); };
    if (std::ranges::any_of(subsets, searched)) score.exact = score_exact(subsets, options);
    return score;
}

} // namespace cax
