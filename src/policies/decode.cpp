#include "cax/policies/decode.hpp"

#include "cax/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <mutex>
#include <optional>

namespace cax {
namespace {

/// One episode on its way.
struct Run {
    StatePtr state;
    std::size_t row; ///< which instance of the group it belongs to
    Rng rng;         ///< for sampling
    Episode episode{};
};

void take(Run& run, std::size_t action, double log_prob) {
    run.state->step(action);
    run.episode.actions.push_back(action);
    run.episode.log_probs.push_back(log_prob);
}

std::size_t most_probable(LogProbs const& log_probs) {
    return static_cast<std::size_t>(std::max_element(log_probs.begin(), log_probs.end()) - log_probs.begin());
}

/// Inverts the distribution function; rounding may leave a sliver at the end, which the last allowed action takes.
std::size_t draw(LogProbs const& log_probs, Rng& rng) {
    double const target = rng.uniform();
    double sum = 0;
    std::size_t last = 0;
    for (std::size_t a = 0; a < log_probs.size(); ++a) {
        double const p = std::exp(log_probs[a]);
        if (p == 0) continue;
        sum += p;
        last = a;
        if (target < sum) break;
    }
    return last;
}

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
    Result<std::vector<std::vector<Episode>>> decode() {
        std::vector<Observation> observations;
        for (std::size_t row = 0; row < instances_.size(); ++row) {
            StatePtr const reset = instances_[row]->reset(options_.state);
            observations.push_back(policy_.observe(*reset));
            if (auto ok = policy_.accepts(observations.back()); !ok) return ok.error().within(name(row));
            limits_.push_back(step_limit(*reset));
            if (!reset->done() && allowed_actions(*reset).empty()) return stuck(row, 0, "no action is allowed");
            start(row, *reset);
        }
        bool const each_step = encode_mode(policy_, options_.encode) == EncodeMode::each_step;
        std::unique_ptr<Encoding> const encoding = each_step ? nullptr : policy_.encode(observations);
        while (true) {
            std::vector<Run*> active;
            for (Run& run : runs_)
                if (!run.state->done()) active.push_back(&run);
            if (active.empty()) return episodes();
            if (auto done = step(active, encoding.get()); !done) return done.error();
        }
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
        auto const add = [&](std::uint32_t sample) -> Run& {
            return runs_.emplace_back(Run{reset.clone(), row, Rng(options_.seed, index, sample)});
        };
        if (options_.mode == DecodeMode::greedy) add(0);
        if (options_.mode == DecodeMode::multistart)
            for (std::size_t const move : first_moves(*instances_[row], reset, options_, index)) take(add(0), move, 0);
        if (options_.mode == DecodeMode::sample)
            for (std::size_t s = 0; s < options_.samples; ++s) add(static_cast<std::uint32_t>(s));
    }

    /// One step of every active episode. Without an encoding each state is encoded as it stands.
    Result<void> step(std::span<Run* const> active, Encoding const* encoding) {
        std::vector<Observation> observations;
        std::vector<std::size_t> rows;
        for (Run const* const run : active) {
            std::size_t const step = run->episode.actions.size();
            if (allowed_actions(*run->state).empty()) return stuck(run->row, step, "no action is allowed");
            if (step >= limits_[run->row]) return stuck(run->row, step, "the episode has not ended");
            observations.push_back(encoding ? policy_.observe_for_decoding(*run->state) : policy_.observe(*run->state));
            rows.push_back(run->row);
        }
        std::vector<LogProbs> const log_probs =
            encoding ? policy_.decode(*encoding, rows, observations) : policy_.log_probs(observations);
        for (std::size_t i = 0; i < active.size(); ++i) {
            Run& run = *active[i];
            std::size_t const action =
                options_.mode == DecodeMode::sample ? draw(log_probs[i], run.rng) : most_probable(log_probs[i]);
            if (!std::isfinite(log_probs[i][action]))
                return stuck(run.row, run.episode.actions.size(), "the policy's probabilities are not numbers");
            take(run, action, log_probs[i][action]);
        }
        return {};
    }

    std::vector<std::vector<Episode>> episodes() {
        std::vector<std::vector<Episode>> result(instances_.size());
        for (Run& run : runs_) {
            run.episode.cost = run.state->cost();
            result[run.row].push_back(std::move(run.episode));
        }
        return result;
    }

    Policy const& policy_;
    DecodeOptions const& options_;
    std::span<InstancePtr const> instances_;
    std::size_t first_;
    std::vector<std::size_t> limits_; ///< per instance: steps after which something is wrong
    std::vector<Run> runs_;
};

/// The first of the best.
Episode& best_of(std::vector<Episode>& episodes, Objective objective) {
    auto const better = [&](Episode const& a, Episode const& b) {
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

EncodeMode encode_mode(Policy const& policy, EncodeMode wanted) {
    if (!policy.traits().has_encoder || policy.info().stepwise) return EncodeMode::each_step;
    return policy.encoding_changes() ? wanted : EncodeMode::once;
}

Result<std::vector<Episode>> decode(Policy const& policy, std::span<InstancePtr const> instances,
                                    DecodeOptions const& options) {
    if (auto ok = check(options); !ok) return ok.error();
    // Greedy episodes are single states: a few instances together make the matrix products worth their overhead.
    std::size_t const group = options.mode == DecodeMode::greedy ? 8 : 1;
    std::size_t const groups = (instances.size() + group - 1) / group;
    std::vector<Episode> best(instances.size());
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

Result<std::vector<Episode>> decode_all_starts(Policy const& policy, InstancePtr const& instance,
                                               DecodeOptions const& options) {
    DecodeOptions multistart = options;
    multistart.mode = DecodeMode::multistart;
    auto episodes = GroupDecoder(policy, multistart, {&instance, 1}, 0).decode();
    if (!episodes) return episodes.error();
    return std::move(episodes->front());
}

} // namespace cax
