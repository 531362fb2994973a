#include "cax/explain/subset.hpp"

#include "cax/core/parallel.hpp"
#include "cax/explain/bounds.hpp"
#include "subset/subset_scan.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <mutex>

namespace cax {
namespace {

constexpr std::uint64_t order_stream = 0x5b5e'7c0f'fee5'0002; ///< of random orders

Error bad(std::string message) { return {ErrorCode::invalid_value, std::move(message)}; }

/// Smallest number of successes that the rule of acceptance takes; more than `samples` if there is none.
std::size_t successes_needed(SubsetOptions const& options, std::size_t samples, double level) {
    double const target = 1 - options.epsilon;
    if (options.accept == Acceptance::empirical) {
        // 56 of 70 is a rate of 0.8, whatever 0.8 * 70 rounds to.
        double const exact = target * static_cast<double>(samples);
        return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(exact - 1e-9)));
    }
    std::size_t low = 1;
    std::size_t high = samples + 1;
    while (low < high) { // the bound grows with the number of successes
        std::size_t const middle = (low + high) / 2;
        if (clopper_pearson_lower(middle, samples, level) >= target)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/// `order`, then the candidates that it leaves out. Error if a node is listed twice or is no candidate.
Result<std::vector<std::size_t>> completed(std::span<std::size_t const> order, Masking const& masking) {
    auto const& candidates = masking.candidates();
    NodeSet open = node_set(candidates, masking.nodes());
    std::vector<std::size_t> all;
    for (std::size_t const node : order) {
        if (node >= open.size()) return bad(fmt::format("order: node {}: there are {} nodes", node, open.size()));
        if (open[node] == 0) return bad(fmt::format("order: node {} is listed twice or has been dealt with", node));
        open[node] = 0;
        all.push_back(node);
    }
    std::ranges::copy_if(candidates, std::back_inserter(all), [&](std::size_t node) { return open[node] != 0; });
    return all;
}

Subset subset_of(Decision const& decision, std::size_t candidates) {
    Subset subset;
    subset.instance = decision.instance;
    subset.step = decision.step;
    subset.action = decision.action;
    subset.margin = decision.margin();
    subset.forced = !decision.runner_up().has_value();
    subset.nodes_in_all = candidates;
    return subset;
}

/// One action is allowed: hiding cannot change the decision, so that its probability of surviving is known to be 1.
/// The scan would accept its first node.
void accept_forced(Subset& subset, std::span<std::size_t const> order, SubsetOptions const& options,
                   SubsetRule const& rule) {
    subset.accepted = true;
    subset.nodes = {order.front()};
    subset.observed = {.samples = 0, .preserved = 0, .rate = 1, .lower_bound = 1, .hoeffding = 1};
    subset.level = rule.level;
    subset.fixed_passes = rule.samples * (options.fidelity.compare == Comparison::sample ? 2 : 1);
    if (options.exact_budget == 0) return;
    subset.exact = ExactSubset{.found = true,
                               .nodes = subset.nodes,
                               .proven = true,
                               .empty_suffices = true,
                               .own = subset.observed,
                               .fresh = subset.observed};
}

} // namespace

std::optional<double> Subset::area_under_curve() const {
    if (forced) return 1;
    if (tests.empty()) return std::nullopt;
    double sum = 0;
    for (SizeTest const& test : tests) {
        if (test.samples != tests.back().samples) return std::nullopt;
        sum += static_cast<double>(test.preserved) / static_cast<double>(test.samples);
    }
    return sum / static_cast<double>(tests.size());
}

bool in_stages(SubsetOptions const& options) {
    bool const same_samples = options.exact_budget > 0 || options.curve || options.fidelity.fresh_noise;
    return options.accept == Acceptance::certified && !same_samples;
}

Result<SubsetRule> subset_rule(SubsetOptions const& options) {
    if (options.k_max == 0) return bad("k_max: 0: a subset has at least one node");
    if (!(options.sigma >= 0) || !std::isfinite(options.sigma)) {
        return bad(fmt::format("sigma: {} is no standard deviation", options.sigma));
    }
    if (options.exact_budget > 0 && options.fidelity.fresh_noise) {
        return bad("exact: compares subsets on the same samples, which fresh noise for every size takes away");
    }
    std::size_t const tests = options.correction == Correction::bonferroni ? options.k_max : 1;
    auto const asked = hoeffding_trials(options.epsilon, options.delta, tests);
    if (!asked) return asked.error();
    SubsetRule rule;
    rule.samples = options.samples == 0 ? *asked : options.samples;
    rule.level = options.delta / static_cast<double>(tests);
    if (rule.samples >= fresh_samples / options.k_max) {
        return bad(fmt::format("samples: {} for each of {} sizes are too many", rule.samples, options.k_max));
    }
    rule.needed = successes_needed(options, rule.samples, rule.level);
    if (rule.needed > rule.samples) {
        return bad(fmt::format("samples: {} cannot certify a rate of {} at confidence 1 - {:.3g}, even if all succeed",
                               rule.samples, 1 - options.epsilon, rule.level));
    }
    return rule;
}

std::vector<std::size_t> subset_nodes(State const& state, SubsetOptions const& options) {
    SubsetOptions plain = options;
    plain.baseline = MaskingBaseline::zero;
    return Masking::make(state, plain)->candidates();
}

std::vector<std::size_t> order_by_scores(std::span<std::size_t const> candidates, std::span<double const> scores) {
    std::vector<std::size_t> order(candidates.begin(), candidates.end());
    auto const score = [&](std::size_t node) {
        assert(node < scores.size());
        return std::isnan(scores[node]) ? -std::numeric_limits<double>::infinity() : scores[node];
    };
    std::ranges::stable_sort(order, std::greater{}, score);
    return order;
}

std::vector<std::size_t> random_order(std::span<std::size_t const> candidates, Decision const& decision, std::uint64_t seed) {
    Rng rng(seed ^ order_stream, static_cast<std::uint32_t>(decision.instance), static_cast<std::uint32_t>(decision.step));
    std::vector<std::size_t> order(candidates.begin(), candidates.end());
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
    return order;
}

Result<Subset> sufficient_subset(Policy const& policy, Decision const& decision, std::span<std::size_t const> order,
                                 SubsetOptions const& options) {
    auto const rule = subset_rule(options);
    if (!rule) return rule.error();
    auto masking = Masking::make(*decision.state, options);
    if (!masking) return masking.error();
    auto const all = completed(order, *masking);
    if (!all) return all.error();
    if (all->empty()) return bad("order: every node has been dealt with");
    Subset subset = subset_of(decision, all->size());
    if (subset.forced) {
        accept_forced(subset, *all, options, *rule);
        return subset;
    }

    PolicyPreservation preservation(policy, decision, std::move(*masking), options);
    ScannedSubset scanned;
    if (in_stages(options)) {
        StagedSubset staged = scan_in_stages(preservation, *rule, *all, options);
        scanned = std::move(staged.scanned);
        subset.observed = staged.observed;
        subset.level = staged.level;
        subset.attempts = staged.attempts;
    } else {
        scanned = scan_order(preservation, *rule, *all, options);
        SizeTest const& shown = scanned.accepted != 0 ? scanned.tests[scanned.accepted - 1] : scanned.tests.back();
        subset.observed = preserved_share(shown.preserved, shown.samples, rule->level);
        subset.level = rule->level;
    }
    subset.tests = scanned.tests;
    subset.accepted = scanned.accepted != 0;
    subset.nodes.assign(all->begin(), all->begin() + static_cast<std::ptrdiff_t>(scanned.accepted));
    subset.forward_passes = preservation.forward_passes();
    // The plain loop: every sample for every size, and each sample's own decision once (with fresh noise: every time).
    std::size_t const own = options.fidelity.compare == Comparison::anchor ? 0
                            : options.fidelity.fresh_noise                 ? scanned.tests.size()
                                                                           : 1;
    subset.fixed_passes = rule->samples * (scanned.tests.size() + own);
    if (options.exact_budget > 0) {
        subset.exact = search_subsets(preservation, *rule, *all, scanned.accepted, options);
    }
    return subset;
}

Result<std::vector<Subset>> sufficient_subsets(Policy const& policy, std::span<Decision const> decisions,
                                               std::span<std::vector<std::size_t> const> orders,
                                               SubsetOptions const& options) {
    if (orders.size() != decisions.size()) return bad(fmt::format("orders: {} for {} cells", orders.size(), decisions.size()));
    std::vector<std::optional<Result<Subset>>> results(decisions.size());
    std::mutex progress_mutex;
    std::size_t finished = 0;
    parallel_for(decisions.size(), options.threads, [&](std::size_t i, std::size_t) {
        results[i] = sufficient_subset(policy, decisions[i], orders[i], options);
        std::scoped_lock const lock(progress_mutex);
        if (options.progress) options.progress(++finished, decisions.size());
    });
    std::vector<Subset> subsets;
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        if (!*results[i]) {
            return results[i]->error().within(
                fmt::format("instance {}, step {}", decisions[i].instance, decisions[i].step + 1));
        }
        subsets.push_back(std::move(**results[i]));
    }
    return subsets;
}

} // namespace cax
