// Integrated gradients: a_i = (x_i - x'_i) * mean over the straight way from x' to x of d value / d x_i, by the
// midpoint rule. With enough points the a_i sum to value(x) - value(x'), and what is missing is reported.
#include "attribution/decision_value.hpp"
#include "attribution/grouping.hpp"
#include "attribution/masking_baseline.hpp"

#include <cmath>

namespace cax {
namespace {

struct Way {
    Features end;   ///< x
    Features start; ///< x'
    Features slope; ///< sum of the gradients on the way
    double start_value = 0;

    [[nodiscard]] Features at(double share) const {
        Features point = end;
        for (std::size_t t = 0; t < point.size(); ++t) {
            for (std::size_t i = 0; i < point[t].values.size(); ++i) {
                double const from = start[t].values[i];
                point[t].values[i] = from + share * (end[t].values[i] - from);
            }
        }
        return point;
    }
    void add(Features const& gradient, double weight) {
        for (std::size_t t = 0; t < gradient.size(); ++t) {
            for (std::size_t i = 0; i < gradient[t].values.size(); ++i)
                slope[t].values[i] += weight * gradient[t].values[i];
        }
    }
    /// (x - x') * mean gradient; an entry that stays contributes 0, however steep the policy is there.
    [[nodiscard]] Features entries() const {
        Features result = slope;
        for (std::size_t t = 0; t < result.size(); ++t) {
            for (std::size_t i = 0; i < result[t].values.size(); ++i) {
                double const moved = end[t].values[i] - start[t].values[i];
                result[t].values[i] = moved == 0 ? 0 : moved * slope[t].values[i];
            }
        }
        return result;
    }
};

/// Part k of n of the way. Parts grow like the fourth power from the baseline on: there all nodes are alike, a network
/// that normalises over nodes blows up their smallest differences, and the policy changes on the first hundredth of the
/// way more than on the rest.
struct Part {
    double middle = 0;
    double length = 0;
};
Part part_of_way(std::size_t k, std::size_t n) {
    auto end_of = [n](std::size_t count) {
        double const share = static_cast<double>(count) / static_cast<double>(n);
        return share * share * share * share;
    };
    double const from = end_of(k), to = end_of(k + 1);
    return {(from + to) / 2, to - from};
}

Features zeros_like(Features features) {
    for (Feature& feature : features) feature.values.assign(feature.values.size(), 0);
    return features;
}

double sum_of(Features const& entries) {
    double sum = 0;
    for (Feature const& feature : entries) {
        for (double const value : feature.values) sum += value;
    }
    return sum;
}

} // namespace

void attribute_integrated(Policy const& policy, std::span<Decision const> decisions, std::span<std::size_t const> open,
                          AttributionOptions const& options, std::vector<DecisionAttribution>& results) {
    std::vector<Way> ways(open.size());
    std::vector<Probe> ends, points;
    for (std::size_t slot = 0; slot < open.size(); ++slot) {
        std::size_t const c = open[slot];
        Features features = decisions[c].state->features();
        Features start = masking_baseline(*decisions[c].state, features, options.baseline);
        Features slope = zeros_like(features);
        ways[slot] = {std::move(features), std::move(start), std::move(slope)};
        ends.push_back({c, 0, slot});
        ends.push_back({c, 1, slot});
        for (std::size_t k = 0; k < options.points; ++k) points.push_back({c, k, slot});
    }
    AttributionOptions quiet = options;
    quiet.progress = {};
    ask_log_probs(
        policy, quiet, ends,
        [&](Probe const& probe) {
            Way const& way = ways[probe.slot];
            return policy.observe(*decisions[probe.decision].state, probe.part == 0 ? way.start : way.end);
        },
        [&](Probe const& probe, LogProbs const& log_probs) {
            double const value = value_of(decisions[probe.decision], options, log_probs);
            if (probe.part == 0) {
                ways[probe.slot].start_value = value;
                return;
            }
            results[probe.decision].log_prob = log_probs[decisions[probe.decision].action];
            results[probe.decision].value = value;
        });
    ask_gradients(
        policy, options, decisions, points,
        [&](Probe const& probe) {
            double const share = part_of_way(probe.part, options.points).middle;
            return policy.observe(*decisions[probe.decision].state, ways[probe.slot].at(share));
        },
        [&](Probe const& probe, Policy::Gradient const& gradient) {
            ways[probe.slot].add(policy.pull_back(*decisions[probe.decision].state, gradient.gradient),
                                 part_of_way(probe.part, options.points).length);
        });
    for (std::size_t slot = 0; slot < open.size(); ++slot) {
        std::size_t const c = open[slot];
        Features const entries = ways[slot].entries();
        DecisionAttribution& result = results[c];
        auto const spent =
            options.fidelity.keep_spent_nodes ? std::vector<std::uint8_t>{} : decisions[c].state->spent_nodes();
        group_entries(decisions[c].state->instance().problem().info(), entries, options.fidelity.mass, spent, result);
        double const error = std::abs(sum_of(entries) - (result.value - ways[slot].start_value));
        if (!std::isfinite(error)) {
            clear_masses(result, result.mass.size(), result.nodes.front().size());
            result.status = AttributionStatus::not_finite;
            continue;
        }
        result.signed_effect = {sum_of(entries)};
        result.baseline_value = ways[slot].start_value;
        result.completeness_error = error;
    }
}

} // namespace cax
