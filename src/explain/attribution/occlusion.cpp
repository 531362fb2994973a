// Occlusion: how much of the value is lost if a family's entries, all of them or one node's, are set to the baseline.
// Asks only for log-probabilities, so it needs no gradients; effects of nodes do not add up to those of families.
#include "attribution/decision_value.hpp"
#include "attribution/grouping.hpp"
#include "attribution/masking_baseline.hpp"

#include <cmath>
#include <limits>

namespace cax {
namespace {

constexpr std::size_t every = std::numeric_limits<std::size_t>::max();

/// What is taken away. Both `every`: all there is. Numbered family by family: the family as a whole, then its nodes.
struct Cover {
    std::size_t family = every;
    std::size_t node = every;
};

struct Scene {
    Features seen;
    Features bare; ///< all at the baseline
    std::vector<Cover> covers;

    /// The features with this much taken away; `changed` says whether that made a difference.
    [[nodiscard]] Features without(ProblemInfo const& info, Cover const& cover, bool& changed) const {
        Features features = seen;
        changed = false;
        for (std::size_t t = 0; t < features.size(); ++t) {
            if (cover.family != every && info.tensors[t].family != cover.family) continue;
            NodeMap const map(info.tensors[t], features[t].shape);
            for (std::size_t i = 0; i < features[t].values.size(); ++i) {
                if (cover.node != every && map.node_of(i) != cover.node) continue;
                changed = changed || features[t].values[i] != bare[t].values[i];
                features[t].values[i] = bare[t].values[i];
            }
        }
        return features;
    }
};

Scene make_scene(Decision const& decision, AttributionOptions const& options) {
    ProblemInfo const& info = decision.state->instance().problem().info();
    Scene scene;
    scene.seen = decision.state->features();
    scene.bare = masking_baseline(*decision.state, scene.seen, options.baseline);
    std::size_t const nodes = options.nodes ? node_count(info, scene.seen) : 0;
    auto add_if_different = [&](Cover const& cover) {
        bool changed = false;
        (void)scene.without(info, cover, changed);
        if (changed) scene.covers.push_back(cover);
    };
    add_if_different({});
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        add_if_different({k, every});
        for (std::size_t n = 0; n < nodes; ++n) add_if_different({k, n});
    }
    return scene;
}

void finish(DecisionAttribution& result) {
    bool finite = std::isfinite(result.baseline_value.value_or(0));
    double total = 0;
    for (std::size_t k = 0; k < result.mass.size(); ++k) {
        total += result.mass[k];
        for (double const score : result.nodes[k]) finite = finite && std::isfinite(score);
    }
    if (finite && std::isfinite(total)) {
        if (total == 0) result.status = AttributionStatus::no_influence;
        return;
    }
    clear_masses(result, result.mass.size(), result.nodes.front().size());
    result.signed_effect.assign(result.mass.size(), 0);
    result.baseline_value.reset();
    result.status = AttributionStatus::not_finite;
}

} // namespace

void attribute_occlusion(Policy const& policy, std::span<Decision const> decisions, std::span<std::size_t const> open,
                         AttributionOptions const& options, std::vector<DecisionAttribution>& results) {
    std::vector<Scene> scenes(open.size());
    std::vector<Probe> whole, covered;
    for (std::size_t slot = 0; slot < open.size(); ++slot) {
        std::size_t const c = open[slot];
        scenes[slot] = make_scene(decisions[c], options);
        whole.push_back({c, 0, slot});
        for (std::size_t i = 0; i < scenes[slot].covers.size(); ++i) covered.push_back({c, i, slot});
    }
    AttributionOptions quiet = options;
    quiet.progress = {};
    ask_log_probs(
        policy, quiet, whole, [&](Probe const& probe) { return policy.observe(*decisions[probe.decision].state); },
        [&](Probe const& probe, LogProbs const& log_probs) {
            DecisionAttribution& result = results[probe.decision];
            result.log_prob = log_probs[decisions[probe.decision].action];
            result.value = value_of(decisions[probe.decision], options, log_probs);
            result.signed_effect.assign(result.mass.size(), 0);
            result.baseline_value = result.value; // unless something can be taken away
        });
    ask_log_probs(
        policy, options, covered,
        [&](Probe const& probe) {
            State const& state = *decisions[probe.decision].state;
            Scene const& scene = scenes[probe.slot];
            bool changed = false;
            return policy.observe(state,
                                  scene.without(state.instance().problem().info(), scene.covers[probe.part], changed));
        },
        [&](Probe const& probe, LogProbs const& log_probs) {
            DecisionAttribution& result = results[probe.decision];
            Cover const& cover = scenes[probe.slot].covers[probe.part];
            double const value = value_of(decisions[probe.decision], options, log_probs);
            double const effect = result.value - value;
            if (cover.family == every) {
                result.baseline_value = value;
            } else if (cover.node == every) {
                result.signed_effect[cover.family] = effect;
                result.mass[cover.family] = std::abs(effect);
            } else {
                result.nodes[cover.family][cover.node] = std::abs(effect);
            }
        });
    for (std::size_t const c : open) finish(results[c]);
}

} // namespace cax
