#include "attribution/decision_value.hpp"

#include "attribution/grouping.hpp"
#include "cax/core/parallel.hpp"

#include <algorithm>

namespace cax {
namespace {

/// Calls run(first, observations) for one batch of probes after another.
void by_batch(AttributionOptions const& options, std::span<Probe const> probes,
              std::function<Observation(Probe const&)> const& observe,
              std::function<void(std::size_t, std::vector<Observation> const&)> const& run) {
    for (std::size_t first = 0; first < probes.size(); first += options.batch) {
        std::vector<Observation> observations(std::min(options.batch, probes.size() - first));
        parallel_for(observations.size(), options.threads,
                     [&](std::size_t i, std::size_t) { observations[i] = observe(probes[first + i]); });
        run(first, observations);
        if (options.progress) options.progress(first + observations.size(), probes.size());
    }
}

std::size_t allowed_actions(Decision const& decision) {
    return static_cast<std::size_t>(
        std::ranges::count_if(decision.state->action_mask(), [](std::uint8_t allowed) { return allowed != 0; }));
}

AttributionStatus status_before(Decision const& decision, AttributionOptions const& options) {
    if (options.why_not && *options.why_not == decision.action) return AttributionStatus::other_is_chosen;
    if (options.why_not && decision.state->action_mask()[*options.why_not] == 0) {
        return AttributionStatus::other_not_allowed;
    }
    return allowed_actions(decision) == 1 ? AttributionStatus::no_choice : AttributionStatus::computed;
}

} // namespace

std::vector<double> weights_of(Decision const& decision, AttributionOptions const& options) {
    std::vector<double> weights(decision.state->action_mask().size());
    weights[decision.action] = 1;
    if (options.why_not) weights[*options.why_not] = -1;
    return weights;
}

double value_of(Decision const& decision, AttributionOptions const& options, LogProbs const& log_probs) {
    return log_probs[decision.action] - (options.why_not ? log_probs[*options.why_not] : 0);
}

std::vector<std::size_t> open_cells(std::span<Decision const> decisions, AttributionOptions const& options,
                                    std::vector<DecisionAttribution>& results) {
    std::vector<std::size_t> open;
    for (std::size_t c = 0; c < decisions.size(); ++c) {
        ProblemInfo const& info = decisions[c].state->instance().problem().info();
        DecisionAttribution& result = results[c];
        result.instance = decisions[c].instance;
        result.step = decisions[c].step;
        result.action = decisions[c].action;
        result.status = status_before(decisions[c], options);
        clear_masses(result, info.families.size(), node_count(info, decisions[c].state->features()));
        // With one action allowed log_prob is 0, of either kind.
        if (result.status == AttributionStatus::computed) open.push_back(c);
    }
    return open;
}

void ask_log_probs(Policy const& policy, AttributionOptions const& options, std::span<Probe const> probes,
                   std::function<Observation(Probe const&)> const& observe,
                   std::function<void(Probe const&, LogProbs const&)> const& use) {
    by_batch(options, probes, observe, [&](std::size_t first, std::vector<Observation> const& observations) {
        auto const log_probs = policy.log_probs(observations, options.fidelity.log_prob);
        for (std::size_t i = 0; i < log_probs.size(); ++i) use(probes[first + i], log_probs[i]);
    });
}

void ask_gradients(Policy const& policy, AttributionOptions const& options, std::span<Decision const> decisions,
                   std::span<Probe const> probes, std::function<Observation(Probe const&)> const& observe,
                   std::function<void(Probe const&, Policy::Gradient const&)> const& use) {
    by_batch(options, probes, observe, [&](std::size_t first, std::vector<Observation> const& observations) {
        std::vector<std::vector<double>> weights;
        for (std::size_t i = 0; i < observations.size(); ++i) {
            weights.push_back(weights_of(decisions[probes[first + i].decision], options));
        }
        auto const gradients = policy.gradients(observations, weights, options.fidelity.log_prob);
        for (std::size_t i = 0; i < gradients.size(); ++i) use(probes[first + i], gradients[i]);
    });
}

} // namespace cax
