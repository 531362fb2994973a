#include "cax/explain/attribution.hpp"

#include "attribution/decision_value.hpp"
#include "attribution/grouping.hpp"
#include "attribution/masking_baseline.hpp"
#include "cax/core/parallel.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace cax {
namespace {

Error no_sense(std::string message) { return {ErrorCode::invalid_value, std::move(message)}; }

Result<void> check(std::span<Decision const> decisions, AttributionOptions const& options) {
    if (options.batch == 0) return no_sense("batch: 0 observations are no batch");
    bool const has_baseline = options.method != AttributionMethod::gradient;
    if (options.method == AttributionMethod::integrated && options.points == 0) {
        return no_sense("points: integrated gradients need at least 1 point, not 0");
    }
    if (options.method == AttributionMethod::occlusion && options.fidelity.mass != MassKind::entry) {
        return no_sense(
            fmt::format("mass: {} is about sums of gradients, occlusion has none", name_of(options.fidelity.mass)));
    }
    for (Decision const& decision : decisions) {
        std::size_t const actions = decision.state->action_mask().size();
        if (options.why_not && *options.why_not >= actions) {
            return no_sense(fmt::format("why-not: action {} of instance {}, step {}: there are {} actions",
                                        *options.why_not, decision.instance, decision.step + 1, actions));
        }
        if (has_baseline && options.baseline == MaskingBaseline::depot &&
            !has_depot(decision.state->instance().problem())) {
            return no_sense(fmt::format("baseline: depot: {} has none", decision.state->instance().problem().info().name));
        }
    }
    return {};
}

/// gradient x feature; a feature of 0 contributes 0, however steep the policy is there.
Features products(Features gradient, Features const& features) {
    for (std::size_t t = 0; t < gradient.size(); ++t) {
        for (std::size_t i = 0; i < gradient[t].values.size(); ++i) {
            double const feature = features[t].values[i];
            gradient[t].values[i] = feature == 0 ? 0 : gradient[t].values[i] * feature;
        }
    }
    return gradient;
}

std::optional<std::size_t> first_largest(std::span<std::optional<double> const> values) {
    std::optional<std::size_t> top;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (values[k] && (!top || *values[k] > *values[*top])) top = k;
    }
    return top;
}

/// Of the program without redundant rows; null if there are none, or no mass to weigh them with.
std::vector<MultiplierRange> const* ranges_for(DecisionAttribution const& attribution, Multipliers const& multipliers) {
    if (!multipliers.range || attribution.status != AttributionStatus::computed) return nullptr;
    auto const& ranges = multipliers.range->without_redundant_rows.families;
    return ranges.size() == attribution.mass.size() ? &ranges : nullptr;
}

} // namespace

std::vector<double> DecisionAttribution::node_totals() const {
    std::vector<double> totals(nodes.empty() ? 0 : nodes.front().size());
    for (auto const& family : nodes) {
        for (std::size_t n = 0; n < family.size(); ++n) totals[n] += family[n];
    }
    return totals;
}

void attribute_gradient(Policy const& policy, std::span<Decision const> decisions, std::span<std::size_t const> open,
                        AttributionOptions const& options, std::vector<DecisionAttribution>& results) {
    std::vector<Probe> probes;
    for (std::size_t const c : open) probes.push_back({c, 0, 0});
    ask_gradients(
        policy, options, decisions, probes, [&](Probe const& probe) { return policy.observe(*decisions[probe.decision].state); },
        [&](Probe const& probe, Policy::Gradient const& gradient) {
            Decision const& decision = decisions[probe.decision];
            DecisionAttribution& result = results[probe.decision];
            result.log_prob = gradient.log_probs[decision.action];
            result.value = value_of(decision, options, gradient.log_probs);
            auto const spent =
                options.fidelity.keep_spent_nodes ? std::vector<std::uint8_t>{} : decision.state->spent_nodes();
            group_entries(decision.state->instance().problem().info(),
                          products(policy.pull_back(*decision.state, gradient.gradient), decision.state->features()),
                          options.fidelity.mass, spent, result);
        });
}

Result<std::vector<DecisionAttribution>> attribute(Policy const& policy, std::span<Decision const> decisions,
                                               AttributionOptions const& options) {
    if (auto valid = check(decisions, options); !valid) return valid.error();
    std::vector<DecisionAttribution> results(decisions.size());
    auto open = open_cells(decisions, options, results);
    if (options.method != AttributionMethod::occlusion && !policy.traits().differentiable) {
        for (std::size_t const c : open) results[c].status = AttributionStatus::no_gradients;
        open.clear();
    }
    // A group's ways and scenes are in memory together, so that memory does not grow with the number of decisions.
    for (std::size_t first = 0; first < open.size(); first += options.batch) {
        auto const group = std::span(open).subspan(first, std::min(options.batch, open.size() - first));
        AttributionOptions own = options;
        if (options.progress) {
            own.progress = [&](std::size_t finished, std::size_t total) {
                options.progress(first * total + finished * group.size(), open.size() * total);
            };
        }
        switch (options.method) {
        case AttributionMethod::gradient: attribute_gradient(policy, decisions, group, own, results); break;
        case AttributionMethod::integrated: attribute_integrated(policy, decisions, group, own, results); break;
        case AttributionMethod::occlusion: attribute_occlusion(policy, decisions, group, own, results); break;
        }
    }
    return results;
}

std::vector<Decision> all_cells(std::span<Episode const> episodes) {
    std::vector<Decision> decisions;
    for (Episode const& episode : episodes) decisions.insert(decisions.end(), episode.decisions.begin(), episode.decisions.end());
    return decisions;
}

FamilyScores family_scores(DecisionAttribution const& attribution, Multipliers const& multipliers) {
    assert(attribution.mass.size() == multipliers.families.size());
    FamilyScores scores;
    for (std::size_t k = 0; k < attribution.mass.size(); ++k) {
        auto const lambda = multipliers.families[k].value;
        scores.values.push_back(lambda ? std::optional(*lambda * attribution.mass[k]) : std::nullopt);
    }
    bool const complete = std::ranges::all_of(scores.values, [](auto const& value) { return value.has_value(); });
    auto const top = first_largest(scores.values);
    if (std::ranges::none_of(attribution.mass, [](double mass) { return mass > 0; })) {
        scores.status = ScoreStatus::no_mass;
    } else if (!complete) {
        scores.status = ScoreStatus::no_multiplier;
    } else if (!(*scores.values[*top] > 0)) {
        scores.status = ScoreStatus::no_score;
    }
    scores.ranked.resize(scores.values.size());
    std::iota(scores.ranked.begin(), scores.ranked.end(), std::size_t{0});
    std::ranges::stable_sort(scores.ranked, std::greater<>{},
                             [&](std::size_t k) { return scores.values[k].value_or(-1); });
    scores.shares.resize(scores.values.size());
    if (scores.status != ScoreStatus::computed) return scores;
    scores.top = top;
    double total = 0;
    for (auto const& value : scores.values) total += *value;
    for (std::size_t k = 0; k < scores.values.size(); ++k) scores.shares[k] = *scores.values[k] / total;
    double const best = *scores.values[*top];
    double second = 0;
    for (std::size_t k = 0; k < scores.values.size(); ++k) {
        if (k != *top) second = std::max(second, *scores.values[k]);
    }
    scores.margin = (best - second) / best;
    return scores;
}

std::string_view ScoredAttribution::status(std::size_t family) const {
    return multipliers[family].value ? name_of(scores.status) : name_of(multipliers[family].status);
}

ScoredAttribution scored(DecisionAttribution attribution, Multipliers const& multipliers) {
    ScoredAttribution result;
    result.multipliers = multipliers.families;
    result.scores = family_scores(attribution, multipliers);
    result.top_unique = dual_unique(attribution, multipliers);
    if (auto const* const ranges = ranges_for(attribution, multipliers)) {
        result.always_first = dominating_family(attribution.mass, *ranges);
    }
    result.decision = std::move(attribution);
    return result;
}

std::optional<TopFamily> dual_unique(DecisionAttribution const& attribution, Multipliers const& multipliers) {
    auto const* const ranges = ranges_for(attribution, multipliers);
    return ranges != nullptr ? std::optional(top_family(attribution.mass, *ranges)) : std::nullopt;
}

Result<std::vector<Multipliers>> multipliers_of(std::span<InstancePtr const> instances,
                                                MultiplierOptions const& options, DualsFrom from, std::size_t threads,
                                                std::span<std::size_t const> numbers) {
    if (instances.empty()) return std::vector<Multipliers>{};
    std::size_t const solves = from == DualsFrom::first ? 1 : instances.size();
    std::vector<std::optional<Result<Multipliers>>> answers(solves);
    parallel_for(solves, threads,
                 [&](std::size_t i, std::size_t) { answers[i] = compute_multipliers(*instances[i], options); });
    std::vector<Multipliers> all;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        Result<Multipliers> const& answer = *answers[std::min(i, solves - 1)];
        std::size_t const own = std::min(i, solves - 1);
        if (!answer) return answer.error().within(fmt::format("instance {}", numbers.empty() ? own : numbers[own]));
        all.push_back(*answer);
    }
    return all;
}

} // namespace cax
