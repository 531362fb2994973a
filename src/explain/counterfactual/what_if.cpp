#include "counterfactual/what_if.hpp"

#include "cax/problems/changes.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

bool is_frozen(CounterfactualOptions const& options) { return options.fidelity.state == StateMode::frozen; }

/// What changes start from: the tensors of the state itself, or of the instance that it grew out of.
Features starting_values(Episode const& episode, std::size_t step, CounterfactualOptions const& options) {
    if (is_frozen(options)) return episode.decisions[step].state->features();
    return episode.instance->reset(options.state_options)->features();
}

std::vector<std::vector<std::uint8_t>> adjustable_entries(Episode const& episode, CounterfactualOptions const& options) {
    if (is_frozen(options)) return {};
    return adjustable(*episode.instance, options.kind);
}

} // namespace

ShotSource const& WhatIf::no_source() {
    static ShotSource const none;
    return none;
}

WhatIf::WhatIf(Policy const& policy, Episode const& episode, std::size_t step, CounterfactualOptions const& options,
               ShotSource const& shots)
    : policy_(policy),
      episode_(episode),
      cell_(episode.decisions[step]),
      options_(options),
      shots_(shots),
      adjustable_(adjustable_entries(episode, options)),
      perturbation_(*episode.instance, starting_values(episode, step, options), adjustable_, options.perturbation) {
    for (std::size_t t = 0; t < step; ++t) prefix_.push_back(episode.decisions[t].taken());
}

std::optional<std::size_t> WhatIf::last_node() const {
    if (prefix_.empty()) return std::nullopt;
    Decision const& last = episode_.decisions[prefix_.size() - 1];
    return instance().problem().presentation().node_of(*last.state, last.taken());
}

Features WhatIf::shot(std::size_t shot) const {
    if (!shots_) return perturbation_.shot(options_.first_instance + cell_.instance, cell_.step, shot);
    Features change = shots_(shot);
    perturbation_.clip(change);
    return change;
}

Features WhatIf::applied(Features const& change) const {
    Features values = perturbation_.from();
    for (std::size_t k = 0; k < values.size(); ++k) {
        bool const cut = options_.fidelity.truncate && units_of(instance(), k).whole_numbers;
        for (std::size_t i = 0; i < values[k].values.size(); ++i) {
            double& value = values[k].values[i];
            // One addition in float32: what the published code computes, and what Instance::changed() rounds to.
            value = static_cast<double>(static_cast<float>(value + change[k].values[i]));
            if (cut) value = std::trunc(value);
        }
    }
    return values;
}

void WhatIf::prepare_frozen(Prepared& prepared, bool observed) const {
    Features const values = applied(prepared.change);
    if (observed) prepared.observation = policy_.observe(*cell_.state, values);
    if (auto violation = envelope_violation(*cell_.state, values, options_.fidelity.envelope)) {
        prepared.refusal = *std::move(violation);
        return;
    }
    prepared.feasible = true;
}

void WhatIf::prepare_replayed(Prepared& prepared, bool observed) const {
    auto const instance = changed(*episode_.instance, prepared.change, options_.kind);
    if (!instance) {
        prepared.refusal = instance.error().message;
        return;
    }
    if (options_.kind == ChangeKind::primitive) {
        // Only what came of it counts: a time that fell below 0 took the machine away and nothing more.
        Features const after = (*instance)->reset(options_.state_options)->features();
        Features const& before = perturbation_.from();
        for (std::size_t k = 0; k < after.size(); ++k) {
            for (std::size_t i = 0; i < after[k].values.size(); ++i) {
                bool const own = adjustable_[k][i] != 0;
                prepared.change[k].values[i] = own ? after[k].values[i] - before[k].values[i] : 0;
            }
        }
    }
    auto const state = replay_actions(**instance, prefix_, options_.state_options);
    if (!state) {
        prepared.refusal = state.error().message;
        return;
    }
    if ((*state)->done() || nothing_allowed(**state)) {
        prepared.refusal = fmt::format("step {}: no action is allowed", prefix_.size() + 1);
        return;
    }
    prepared.forbids_chosen = (*state)->action_mask()[cell_.action] == 0;
    if (observed) prepared.observation = policy_.observe(**state);
    if (auto violation = envelope_violation(**state, (*state)->features(), options_.fidelity.envelope)) {
        prepared.refusal = *std::move(violation);
        return;
    }
    prepared.feasible = true;
}

WhatIf::Prepared WhatIf::prepared(Features change, bool observed) const {
    Prepared result;
    result.change = std::move(change);
    if (is_frozen(options_))
        prepare_frozen(result, observed);
    else
        prepare_replayed(result, observed);
    return result;
}

WhatIf::Prepared WhatIf::prepare(Features change) const { return prepared(std::move(change), true); }
WhatIf::Prepared WhatIf::judge(Features change) const { return prepared(std::move(change), false); }

bool WhatIf::wanted(std::size_t action) const {
    return options_.towards ? action == *options_.towards : action != cell_.action;
}

WhatIf::Reaction WhatIf::reaction(LogProbs const& log_probs) const {
    Reaction result{.action = most_probable(log_probs), .flipped = false, .margin = 0, .probability = 0};
    result.flipped = wanted(result.action);
    result.probability = std::exp(log_probs[result.action]);
    double best_wanted = -infinite;
    double best_other = -infinite;
    for (std::size_t a = 0; a < log_probs.size(); ++a) {
        double& best = wanted(a) ? best_wanted : best_other;
        best = std::max(best, log_probs[a]);
    }
    // Both are -infinite only if nothing is allowed, which nobody asks about.
    result.margin = best_other - best_wanted;
    return result;
}

std::vector<WhatIf::Reaction> WhatIf::ask(std::span<Prepared const> prepared) {
    std::vector<Observation> observations;
    for (Prepared const& each : prepared) {
        assert(each.observation);
        observations.push_back(*each.observation);
    }
    forward_passes_ += observations.size();
    std::vector<Reaction> reactions;
    for (LogProbs const& log_probs : policy_.log_probs(observations, options_.fidelity.log_prob)) {
        reactions.push_back(reaction(log_probs));
    }
    return reactions;
}

std::vector<std::optional<WhatIf::Reaction>> WhatIf::try_changes(std::span<Features const> changes) {
    std::vector<std::optional<Reaction>> reactions(changes.size());
    std::vector<Prepared> possible;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        Prepared prepared = prepare(changes[i]);
        if (!prepared.feasible) continue;
        possible.push_back(std::move(prepared));
        places.push_back(i);
    }
    auto const answers = ask(possible);
    for (std::size_t k = 0; k < answers.size(); ++k) reactions[places[k]] = answers[k];
    return reactions;
}

Features WhatIf::lead_gradient(std::size_t other) {
    Observation const seen = policy_.observe(*cell_.state);
    std::vector<double> weights(action_count(seen));
    weights[cell_.action] = 1;
    if (action_mask(seen)[other] != 0) weights[other] = -1;
    forward_passes_ += 2;
    auto const gradient = policy_.gradients({&seen, 1}, {&weights, 1});
    Features lead = policy_.pull_back(*cell_.state, gradient.front().gradient);
    auto const spent = cell_.state->spent_nodes();
    ProblemInfo const& info = instance().problem().info();
    for (std::size_t k = 0; k < lead.size() && !spent.empty(); ++k) {
        for (std::size_t i = 0; i < lead[k].values.size(); ++i) {
            if (spent[node_of(info.tensors[k], lead[k].shape, i)] != 0) lead[k].values[i] = 0;
        }
    }
    return lead;
}

Result<InstancePtr> WhatIf::changed_instance(Features const& change) const {
    return changed(instance(), is_frozen(options_) ? real_part(change) : change, options_.kind);
}

/// A frozen state's tensors are blank where a node has been dealt with: noise there is none of the instance's.
Features WhatIf::real_part(Features change) const {
    ProblemInfo const& info = instance().problem().info();
    std::vector<std::uint8_t> const spent = cell_.state->spent_nodes();
    Features const before = cell_.state->features();
    for (std::size_t k = 0; k < change.size(); ++k) {
        bool const cut = options_.fidelity.truncate && units_of(instance(), k).whole_numbers;
        for (std::size_t i = 0; i < change[k].values.size(); ++i) {
            double const from = before[k].values[i];
            double& value = change[k].values[i];
            if (cut) value = std::trunc(static_cast<double>(static_cast<float>(from + value))) - from;
            if (!spent.empty() && spent[node_of(info.tensors[k], change[k].shape, i)] != 0) value = 0;
        }
    }
    return change;
}

void WhatIf::measure(Features const& change, Flip& flip) const {
    flip.l1 = norm_of_change(change, Norm::l1);
    flip.l2 = norm_of_change(change, Norm::l2);
    flip.linf = norm_of_change(change, Norm::linf);
    flip.family_mass = family_masses(instance().problem().info(), change);
    flip.family = heaviest_family(flip.family_mass);
    double heaviest = 0;
    for (std::size_t k = 0; k < change.size(); ++k) {
        double const mass = norm_of_change({change[k]}, Norm::l1);
        if (mass > heaviest) flip.tensor = k;
        heaviest = std::max(heaviest, mass);
    }
}

void WhatIf::list_entries(Features const& change, Flip& flip) const {
    Features const& before = perturbation_.from();
    Features const after = applied(change);
    for (std::size_t k = 0; k < change.size(); ++k) {
        TensorUnits const units = units_of(instance(), k);
        for (std::size_t i = 0; i < change[k].values.size(); ++i) {
            double const from = before[k].values[i];
            double const to = after[k].values[i];
            if (from == to) continue;
            flip.changes.push_back({k, i, from, to,
                                    fmt::format("{} {:.6g} -> {:.6g}",
                                                instance().problem().presentation().describe_entry(instance(), k, i),
                                                from * units.scale, to * units.scale)});
        }
    }
    flip.entries = flip.changes.size();
}

Flip WhatIf::describe(Features const& change, Reaction const& reaction) const {
    Flip flip;
    flip.change = change;
    flip.new_action = reaction.action;
    flip.new_action_words = describe_action(*cell_.state, reaction.action);
    flip.margin = reaction.margin;
    if (options_.fidelity.log_prob == LogProbKind::policy) flip.new_probability = reaction.probability;
    measure(change, flip);
    list_entries(change, flip);
    auto changed = changed_instance(change);
    if (!changed) {
        flip.no_instance = changed.error().message;
        return flip;
    }
    flip.changed = *std::move(changed);
    if (auto state = replay_actions(*flip.changed, prefix_, options_.state_options)) flip.state = *std::move(state);
    return flip;
}

} // namespace cax
