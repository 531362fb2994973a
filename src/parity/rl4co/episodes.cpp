#include "rl4co/golden.hpp"

#include "cax/policies/decode.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::parity {
namespace {

/// A family of whole episodes in a trace file, and how the reference made them.
struct EpisodeKind {
    std::string_view name;
    EncodeMode encode;
    bool plain = false; ///< without the policy's look ahead
};
constexpr EpisodeKind episode_kinds[] = {{"greedy", EncodeMode::once},
                                         {"greedy_cached", EncodeMode::once},
                                         {"greedy_reencode", EncodeMode::each_step},
                                         {"greedy_plain", EncodeMode::once, true}};

/// Greedy decoding of a batch whose instances influence each other: all take their step together, and those that are
/// done stay in the batch with action 0.
std::vector<Trajectory> decode_in_lockstep(Policy const& policy, std::vector<InstancePtr> const& instances,
                                        EncodeMode encode, std::size_t most_steps) {
    std::vector<StatePtr> states;
    std::vector<std::size_t> rows;
    for (InstancePtr const& instance : instances) {
        rows.push_back(states.size());
        states.push_back(instance->reset());
    }
    auto observe_all = [&] {
        std::vector<Observation> observations;
        for (StatePtr const& state : states) observations.push_back(state->observe());
        return observations;
    };
    auto const encoding = policy.encode(observe_all());
    std::vector<Trajectory> episodes(instances.size());
    for (std::size_t t = 0; t < most_steps; ++t) {
        if (std::ranges::all_of(states, [](StatePtr const& state) { return state->done(); })) break;
        auto const observations = observe_all();
        auto const log_probs =
            encode == EncodeMode::once ? policy.decode(*encoding, rows, observations) : policy.log_probs(observations);
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (states[i]->done()) continue;
            auto const best = std::ranges::max_element(log_probs[i]);
            episodes[i].actions.push_back(static_cast<std::size_t>(best - log_probs[i].begin()));
            episodes[i].log_probs.push_back(*best);
            states[i]->step(episodes[i].actions.back());
        }
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
        episodes[i].cost = states[i]->done() ? states[i]->cost() : std::nan("");
    }
    return episodes;
}

/// The episode's values, filled up with 0 to the length of the batch: what finished instances are recorded with.
template <class T> std::vector<double> padded(std::vector<T> const& values, std::size_t length) {
    std::vector<double> result(values.begin(), values.end());
    if (result.size() < length) result.resize(length, 0.0);
    return result;
}

void compare_reward(Rl4coCheck& check, std::string const& name, double golden, double ours) {
    check.ledger.close(check.ledger.folder().rewards, name, golden, ours, check.tolerances.reward * std::abs(golden));
}

/// By how much each visit of an episode broke a rule, where the environment lets it. A visit's own rule comes first;
/// others may tell what it leaves to those after it.
std::vector<double> broken_by(Instance const& instance, Trajectory const& episode) {
    std::vector<double> amounts;
    StatePtr const state = instance.reset();
    for (std::size_t const action : episode.actions) {
        auto const slacks = slacks_of(*state, action);
        if (!slacks.empty()) amounts.push_back(std::max(0.0, -slacks.front().slack));
        state->step(action);
    }
    return amounts;
}

void compare_lateness(Rl4coCheck& check, Rl4coTrace const& trace, std::string const& name,
                      std::vector<Trajectory> const& episodes) {
    auto const lateness = golden_rows(check, name + "lateness", episodes.size());
    auto const late_nodes = golden_rows(check, name + "late_nodes", episodes.size());
    for (std::size_t i = 0; i < lateness.size() && i < late_nodes.size(); ++i) {
        double sum = 0;
        double count = 0;
        for (double const amount : broken_by(*trace.instances[i], episodes[i])) {
            sum += amount;
            count += amount > 0 ? 1 : 0;
        }
        std::string const where = fmt::format("{}late_nodes, instance {}", name, i);
        check.ledger.equal(check.ledger.folder().states, where, late_nodes[i].as_double(0), count);
        check.ledger.close(check.ledger.folder().rewards, fmt::format("{}lateness, instance {}", name, i),
                           lateness[i].as_double(0), sum, 1e-5 * std::max(1.0, sum));
    }
}

void compare_episodes(Rl4coCheck& check, Rl4coTrace const& trace, std::string const& name,
                      std::vector<Trajectory> const& episodes, bool in_double) {
    GoldenFolder& folder = check.ledger.folder();
    Problem const& problem = trace.instances.front()->problem();
    std::size_t const batch = episodes.size();
    auto for_each_row = [&](std::string const& key, auto const& compare) {
        auto const rows = golden_rows(check, name + key, batch);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            compare(fmt::format("{}{}, instance {}", name, key, i), rows[i], episodes[i]);
        }
    };
    for_each_row("actions", [&](std::string const& where, Tensor const& row, Trajectory const& ours) {
        check.ledger.equal(folder.actions, where, row.to_doubles(), padded(ours.actions, row.size()));
    });
    for_each_row("reward", [&](std::string const& where, Tensor const& row, Trajectory const& ours) {
        if (row.size() != 1) return check.ledger.fail(where + ": is not one number");
        compare_reward(check, where, row.as_double(0), reward_of(problem, ours.cost));
    });
    compare_lateness(check, trace, name, episodes);
    if (in_double) return; // what follows was recorded in float32, and is off by its rounding
    for_each_row("logp_per_step", [&](std::string const& where, Tensor const& row, Trajectory const& ours) {
        check.ledger.close(folder.log_probs32, where, row.to_doubles(), padded(ours.log_probs, row.size()),
                           Tolerance::absolute(check.tolerances.log_prob));
    });
    for_each_row("log_likelihood", [&](std::string const& where, Tensor const& row, Trajectory const& ours) {
        double sum = 0;
        for (double const value : ours.log_probs) sum += value;
        double const steps = static_cast<double>(std::max<std::size_t>(1, ours.log_probs.size()));
        check.ledger.close(folder.log_probs32, where, row.to_doubles(), std::span(&sum, 1),
                           Tolerance{check.tolerances.log_prob, steps * check.tolerances.log_prob, 0});
    });
}

void check_greedy(Rl4coCheck& check, Rl4coTrace const& trace, EpisodeKind const& kind, Rl4coPolicy const& contender) {
    std::string const name = fmt::format("{}{}/", trace.prefix, kind.name);
    Tensor const* actions = check.golden.find(name + "actions");
    if (actions == nullptr) return;
    if (!is_batch(*actions, trace.instances.size(), 2)) {
        return check.ledger.fail(fmt::format("{}actions: shape {} for a batch of {}", name, to_string(actions->shape()),
                                             trace.instances.size()));
    }
    if (trace.coupled) {
        auto const episodes = decode_in_lockstep(*contender.coupled, trace.instances, kind.encode, actions->shape()[1]);
        return compare_episodes(check, trace, name, episodes, contender.is_double());
    }
    if (kind.plain && contender.plain == nullptr) return check.ledger.fail(name + ": the policy does not look ahead");
    auto const episodes = decode(kind.plain ? *contender.plain : *contender.alone, trace.instances,
                                 {.mode = DecodeMode::greedy, .threads = check.threads, .state = {.encode = kind.encode}});
    if (!episodes) return check.ledger.fail(name + ": " + episodes.error().message);
    compare_episodes(check, trace, name, *episodes, contender.is_double());
}

void check_multistart(Rl4coCheck& check, Rl4coTrace const& trace, Rl4coPolicy const& contender) {
    std::string const name = trace.prefix + "multistart/";
    GoldenFolder& folder = check.ledger.folder();
    Problem const& problem = trace.instances.front()->problem();
    std::size_t const batch = trace.instances.size();
    auto const actions = golden_rows(check, name + "actions", batch);
    auto const rewards = golden_rows(check, name + "reward", batch);
    auto const best = golden_rows(check, name + "best_reward", batch);
    auto const best_index = golden_rows(check, name + "best_start_index", batch);
    for (std::size_t i = 0; i < actions.size(); ++i) {
        std::string const where = fmt::format("{}actions, instance {}", name, i);
        if (actions[i].shape().size() != 2) return check.ledger.fail(where + ": has no axis of starts");
        std::size_t const starts = actions[i].shape()[0];
        auto const episodes =
            decode_all_starts(*contender.alone, trace.instances[i],
                              {.mode = DecodeMode::multistart, .starts = starts, .threads = check.threads});
        if (!episodes) return check.ledger.fail(where + ": " + episodes.error().message);
        if (episodes->size() != starts || (!rewards.empty() && rewards[i].size() != starts)) {
            return check.ledger.fail(fmt::format("{}: {} starts, ours {}", where, starts, episodes->size()));
        }
        double top = reward_of(problem, episodes->front().cost);
        for (std::size_t s = 0; s < starts; ++s) {
            Trajectory const& ours = (*episodes)[s];
            Tensor const row = actions[i].slice(s);
            std::string const start = fmt::format(", start {}", s);
            check.ledger.equal(folder.actions, where + start, row.to_doubles(), padded(ours.actions, row.size()));
            double const reward = reward_of(problem, ours.cost);
            if (!rewards.empty()) {
                compare_reward(check, fmt::format("{}reward, instance {}{}", name, i, start), rewards[i].as_double(s),
                               reward);
            }
            top = std::max(top, reward);
        }
        if (!best.empty() && best[i].size() == 1) {
            compare_reward(check, fmt::format("{}best_reward, instance {}", name, i), best[i].as_double(0), top);
        }
        // Different starts can yield one tour in another order: that start need not be our best, only as good.
        if (!best_index.empty() && best_index[i].size() == 1) {
            auto const index = static_cast<std::size_t>(best_index[i].as_int(0));
            if (index >= starts) return check.ledger.fail(name + "best_start_index: out of range");
            compare_reward(check, fmt::format("{}best_start_index, instance {}", name, i), top,
                           reward_of(problem, (*episodes)[index].cost));
        }
    }
}

} // namespace

void check_episodes(Rl4coCheck& check, Rl4coTrace const& trace) {
    for (Rl4coPolicy const& contender : check.policies) {
        for (EpisodeKind const& kind : episode_kinds) check_greedy(check, trace, kind, contender);
        check_multistart(check, trace, contender);
    }
}

} // namespace cax::parity
