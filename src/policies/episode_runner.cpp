#include "episode_runner.hpp"

#include "cax/policies/rollout.hpp"

namespace cax {

std::vector<LogProbs> EpisodeScorer::log_probs(std::span<State const* const> states,
                                               std::span<std::size_t const> rows) const {
    std::vector<Observation> observations;
    for (State const* const state : states) {
        observations.push_back(encoding_ ? policy_.observe_for_decoding(*state) : policy_.observe(*state));
    }
    return encoding_ ? policy_.decode(*encoding_, rows, observations) : policy_.log_probs(observations);
}

namespace {

/// The episodes that go on. Those in which nothing is allowed are offered to `choose`, which has to give them up.
Result<std::vector<std::size_t>> active_episodes(std::span<RunningEpisode> episodes, ChooseAction const& choose) {
    std::vector<std::size_t> active;
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        RunningEpisode& each = episodes[i];
        each.over = each.over || each.state->done();
        if (each.over) continue;
        if (!nothing_allowed(*each.state)) {
            active.push_back(i);
            continue;
        }
        if (auto const given_up = choose(i, {}); !given_up) return given_up.error();
        each.over = true;
    }
    return active;
}

} // namespace

Result<void> run_episodes(EpisodeScorer const& scorer, std::span<RunningEpisode> episodes, ChooseAction const& choose,
                          std::size_t most_steps, std::function<void(std::size_t)> const& stepped) {
    for (std::size_t step = 0; most_steps == 0 || step < most_steps; ++step) {
        auto const active = active_episodes(episodes, choose);
        if (!active) return active.error();
        if (active->empty()) break;
        std::vector<State const*> states;
        std::vector<std::size_t> rows;
        for (std::size_t const i : *active) {
            states.push_back(episodes[i].state.get());
            rows.push_back(episodes[i].row);
        }
        std::vector<LogProbs> log_probs = scorer.log_probs(states, rows);
        for (std::size_t k = 0; k < active->size(); ++k) {
            RunningEpisode& each = episodes[(*active)[k]];
            auto const action = choose((*active)[k], std::move(log_probs[k]));
            if (!action) return action.error();
            each.over = !action->has_value();
            if (each.over) continue;
            each.state->step(**action);
            ++each.steps;
        }
        if (stepped) stepped(active->size());
    }
    return {};
}

} // namespace cax
