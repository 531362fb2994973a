#include "cax/policies/decode.hpp"

#include "episode_runner.hpp"

#include "cax/core/parallel.hpp"
#include "cax/policies/rollout.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <mutex>
#include <optional>

namespace cax {
namespace {

std::vector<std::size_t> allowed_actions(State const& state) {
    std::vector<std::size_t> allowed;
    for (std::size_t a = 0; a < state.action_mask().size(); ++a)
        if (state.action_mask()[a]) allowed.push_back(a);
    return allowed;
}

/// A bound that no episode of a sane problem reaches: every step uses up a customer, an operation or a way home, and
/// each of those has several features.
std::size_t step_limit(State const& state) {
    std::size_t numbers = 0;
    for (Feature const& feature : state.features()) numbers += feature.values.size();
    return 4 * numbers + 16;
}

/// The forced first moves of an instance: its own list, or random allowed ones, as many as the mask allows.
std::vector<std::size_t> first_moves(Instance const& instance, State const& state, DecodeOptions const& options,
                                     std::size_t index) {
    std::vector<std::size_t> const own = instance.start_actions();
    std::vector<std::size_t> const allowed = own.empty() ? allowed_actions(state) : own;
    if (allowed.empty()) return {};
    std::vector<std::size_t> moves(options.starts ? options.starts : allowed.size());
    Rng rng(options.seed, static_cast<std::uint32_t>(index));
    for (std::size_t s = 0; s < moves.size(); ++s)
        moves[s] = own.empty() ? allowed[rng.below(allowed.size())] : own[s % own.size()];
    return moves;
}

/// Runs the episodes of a few instances together, dropping each as it finishes.
class GroupDecoder {
public:
    /// `first` is the place of the group's first instance among all.
    GroupDecoder(Policy const& policy, DecodeOptions const& options, std::span<InstancePtr const> instances,
                 std::size_t first)
        : policy_(policy), options_(options), instances_(instances), first_(first) {}

    /// All episodes of each instance.
    Result<std::vector<std::vector<Trajectory>>> decode() {
        std::vector<Observation> observations;
        for (std::size_t row = 0; row < instances_.size(); ++row) {
            StatePtr const reset = instances_[row]->reset(options_.state);
            observations.push_back(policy_.observe(*reset));
            if (auto ok = policy_.accepts(observations.back()); !ok) return ok.error().within(name(row));
            limits_.push_back(step_limit(*reset));
            if (!reset->done() && nothing_allowed(*reset)) return stuck(row, 0, "no action is allowed");
            start(row, *reset);
        }
        EpisodeScorer scorer(policy_, encode_mode(policy_, options_.state.encode) == EncodeMode::once);
        scorer.begin(observations);
        auto const choose = [this](std::size_t i, LogProbs log_probs) { return choose_action(i, log_probs); };
        if (auto ok = run_episodes(scorer, running_, choose); !ok) return ok.error();
        return episodes();
    }

private:
    /// It names errors and random streams.
    [[nodiscard]] std::size_t number(std::size_t row) const {
        return options_.numbers.empty() ? first_ + row : options_.numbers[first_ + row];
    }
    [[nodiscard]] std::string name(std::size_t row) const { return fmt::format("instance {}", number(row)); }
    [[nodiscard]] Error stuck(std::size_t row, std::size_t step, std::string_view why) const {
        return {ErrorCode::invalid_value, fmt::format("{}: {} at step {}", name(row), why, step + 1)};
    }

    void start(std::size_t row, State const& reset) {
        auto const index = static_cast<std::uint32_t>(number(row));
        auto const add = [&](std::uint32_t sample) {
            running_.push_back({.state = reset.clone(), .row = row});
            trajectories_.emplace_back();
            random_.emplace_back(options_.seed, index, sample);
        };
        if (options_.mode == DecodeMode::greedy) add(0);
        if (options_.mode == DecodeMode::multistart) {
            for (std::size_t const move : first_moves(*instances_[row], reset, options_, index)) {
                add(0);
                running_.back().state->step(move);
                ++running_.back().steps;
                trajectories_.back().actions.push_back(move);
                trajectories_.back().log_probs.push_back(0);
            }
        }
        if (options_.mode == DecodeMode::sample)
            for (std::size_t s = 0; s < options_.samples; ++s) add(static_cast<std::uint32_t>(s));
    }

    Result<std::optional<std::size_t>> choose_action(std::size_t i, LogProbs const& log_probs) {
        RunningEpisode const& run = running_[i];
        if (log_probs.empty()) return stuck(run.row, run.steps, "no action is allowed");
        if (run.steps >= limits_[run.row]) return stuck(run.row, run.steps, "the episode has not ended");
        bool const sample = options_.mode == DecodeMode::sample;
        std::size_t const action = sample ? draw_action(log_probs, random_[i]) : most_probable(log_probs);
        if (!std::isfinite(log_probs[action]))
            return stuck(run.row, run.steps, "the policy's probabilities are not numbers");
        trajectories_[i].actions.push_back(action);
        trajectories_[i].log_probs.push_back(log_probs[action]);
        return std::optional(action);
    }

    std::vector<std::vector<Trajectory>> episodes() {
        std::vector<std::vector<Trajectory>> result(instances_.size());
        for (std::size_t i = 0; i < running_.size(); ++i) {
            trajectories_[i].cost = running_[i].state->cost();
            result[running_[i].row].push_back(std::move(trajectories_[i]));
        }
        return result;
    }

    Policy const& policy_;
    DecodeOptions const& options_;
    std::span<InstancePtr const> instances_;
    std::size_t first_;
    std::vector<std::size_t> limits_; ///< per instance: steps after which something is wrong
    std::vector<RunningEpisode> running_;
    std::vector<Trajectory> trajectories_; ///< of running_, one each
    std::vector<Rng> random_;              ///< the same, for sampling
};

/// The first of the best.
Trajectory& best_of(std::vector<Trajectory>& episodes, Objective objective) {
    auto const better = [&](Trajectory const& a, Trajectory const& b) {
        return objective == Objective::minimise ? a.cost < b.cost : a.cost > b.cost;
    };
    return *std::min_element(episodes.begin(), episodes.end(), better);
}

Result<void> check(DecodeOptions const& options) {
    if (options.mode == DecodeMode::sample && options.samples == 0)
        return Error{ErrorCode::invalid_value, "samples: 0, expected at least 1"};
    return {};
}

} // namespace

Result<std::vector<Trajectory>> decode(Policy const& policy, std::span<InstancePtr const> instances,
                                    DecodeOptions const& options) {
    if (auto ok = check(options); !ok) return ok.error();
    // Greedy episodes are single states: a few instances together make the matrix products worth their overhead.
    std::size_t const group = options.mode == DecodeMode::greedy ? 8 : 1;
    std::size_t const groups = (instances.size() + group - 1) / group;
    std::vector<Trajectory> best(instances.size());
    std::vector<std::optional<Error>> errors(groups);
    std::mutex progress_mutex;
    std::size_t finished = 0;
    parallel_for(groups, options.threads, [&](std::size_t g, std::size_t) {
        std::size_t const first = g * group;
        auto const own = instances.subspan(first, std::min(group, instances.size() - first));
        auto episodes = GroupDecoder(policy, options, own, first).decode();
        if (!episodes) {
            errors[g] = episodes.error();
            return;
        }
        for (std::size_t i = 0; i < own.size(); ++i)
            best[first + i] = std::move(best_of((*episodes)[i], own[i]->problem().info().objective));
        std::scoped_lock const lock(progress_mutex);
        finished += own.size();
        if (options.progress) options.progress(finished, instances.size());
    });
    for (auto const& error : errors)
        if (error) return *error;
    return best;
}

Result<std::vector<Solved>> solve(Policy const& policy, std::span<InstancePtr const> instances,
                                  DecodeOptions const& options) {
    auto episodes = decode(policy, instances, options);
    if (!episodes) return episodes.error();
    std::vector<Solved> solved;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        Trajectory& episode = (*episodes)[i];
        auto solution = instances[i]->solution_of(episode.actions);
        std::size_t const number = options.numbers.empty() ? i : options.numbers[i];
        if (!solution) return solution.error().within(fmt::format("instance {}", number));
        CheckReport report = instances[i]->check(*solution);
        solved.push_back({std::move(episode), *std::move(solution), std::move(report)});
    }
    return solved;
}

Result<std::vector<Trajectory>> decode_all_starts(Policy const& policy, InstancePtr const& instance,
                                               DecodeOptions const& options) {
    DecodeOptions multistart = options;
    multistart.mode = DecodeMode::multistart;
    auto episodes = GroupDecoder(policy, multistart, {&instance, 1}, 0).decode();
    if (!episodes) return episodes.error();
    return std::move(episodes->front());
}

} // namespace cax
