#include "cax/policies/rollout.hpp"

#include "episode_runner.hpp"

#include "cax/core/same_cost.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <variant>

namespace cax {
namespace {

/// Policies of two problems can have the same shape: that a policy can read an instance does not mean that it should.
Result<void> is_for(Policy const& policy, Instance const& instance) {
    std::string_view const own = policy.info().problem;
    std::string_view const other = instance.problem().info().name;
    if (own.empty() || own == other) return {};
    return Error{ErrorCode::mismatch, fmt::format("the policy is for {}, not for {}", own, other)};
}

Result<void> is_allowed(State const& state, std::size_t action) {
    auto const mask = state.action_mask();
    if (action >= mask.size()) {
        return Error{ErrorCode::invalid_value, fmt::format("action {}: there are {} actions", action, mask.size())};
    }
    if (!state.done() && mask[action] != 0) return {};
    return Error{ErrorCode::invalid_value, fmt::format("{} is not allowed", describe_action(state, action))};
}

/// A few instances, rolled out together.
class GroupRollout {
public:
    /// `first` is the place of the first one among all.
    GroupRollout(Policy const& policy, RolloutOptions const& options, std::size_t first)
        : policy_(policy), options_(options), first_(first) {}

    Result<void> start(InstancePtr const& instance) {
        std::size_t const row = episodes_.size();
        episodes_.push_back({instance, {}, false, options_.state, {}});
        running_.push_back({.state = instance->reset(options_.state), .row = row});
        starts_.push_back(policy_.observe(*running_.back().state));
        if (auto ok = policy_.accepts(starts_.back()); !ok) return ok.error().within(name(row));
        if (auto ok = is_for(policy_, *instance); !ok) return ok.error().within(name(row));
        return {};
    }

    /// `stepped` counts decisions since its last call.
    Result<std::vector<Episode>> run(std::function<void(std::size_t)> const& stepped) {
        for (std::size_t i = 0; i < running_.size(); ++i) {
            if (running_[i].state->done() || !nothing_allowed(*running_[i].state)) continue;
            if (options_.keep_dead_end) return std::move(episodes_);
            return no_action(i);
        }
        // An encoding serves the whole episode unless the encoder's inputs change on the way; the bits are the same.
        EpisodeScorer scorer(policy_, !policy_.encoding_changes() || options_.state.encode == EncodeMode::once);
        scorer.begin(starts_);
        auto const choose = [this](std::size_t i, LogProbs log_probs) { return take(i, std::move(log_probs)); };
        if (auto ok = run_episodes(scorer, running_, choose, options_.steps, stepped); !ok) return ok.error();
        for (std::size_t i = 0; i < running_.size(); ++i) {
            if (auto ok = all_forced_reached(i); !ok) return ok.error();
            episodes_[i].finished = running_[i].state->done();
        }
        return std::move(episodes_);
    }

private:
    Result<std::optional<std::size_t>> take(std::size_t i, LogProbs log_probs) {
        if (log_probs.empty() && options_.keep_dead_end) return std::optional<std::size_t>();
        if (log_probs.empty()) return no_action(i);
        State const& state = *running_[i].state;
        std::size_t const step = running_[i].steps;
        std::size_t const own = most_probable(log_probs);
        Decision decision{number(i), step, std::shared_ptr<State const>(state.clone()), own, std::move(log_probs)};
        if (auto const forced = options_.forced.find(step); forced != options_.forced.end()) {
            if (auto ok = is_allowed(state, forced->second); !ok) {
                return ok.error().within(fmt::format("step {}", step + 1)).within(name(i));
            }
            decision.forced = forced->second;
        }
        std::size_t const action = decision.taken();
        episodes_[i].decisions.push_back(std::move(decision));
        return std::optional(action);
    }

    [[nodiscard]] Result<void> all_forced_reached(std::size_t i) const {
        if (options_.forced.empty()) return {};
        std::size_t const last = options_.forced.rbegin()->first;
        std::size_t const steps = episodes_[i].decisions.size();
        if (last < steps || !running_[i].state->done()) return {};
        return Error{ErrorCode::invalid_value,
                     fmt::format("step {} is beyond the end: the episode has {} steps", last + 1, steps)}
            .within(name(i));
    }
    [[nodiscard]] Error no_action(std::size_t i) const {
        std::string const message = fmt::format("step {}: no action is allowed", running_[i].steps + 1);
        return Error{ErrorCode::invalid_value, message}.within(name(i));
    }
    [[nodiscard]] std::size_t number(std::size_t i) const {
        return options_.numbers.empty() ? first_ + i : options_.numbers[first_ + i];
    }
    [[nodiscard]] std::string name(std::size_t i) const { return fmt::format("instance {}", number(i)); }

    Policy const& policy_;
    RolloutOptions const& options_;
    std::size_t first_;
    std::vector<Episode> episodes_;
    std::vector<RunningEpisode> running_;
    std::vector<Observation> starts_;
};

/// The actions that make the plan: its own, or those of an episode that stays with the policy's longest.
Result<std::vector<std::size_t>> actions_of_plan(Instance const& instance, ExternalPlan const& plan,
                                                 Episode const& own) {
    CheckReport const check = instance.check(plan.solution);
    if (!check.valid()) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("the plan {} is not valid: {}", plan.source, check.violations.front())};
    }
    if (!plan.actions.empty()) return plan.actions;
    auto found = actions_of(instance, plan.solution, own.actions());
    if (!found) return found.error().within("the plan " + plan.source);
    return found;
}

/// What an episode along these actions needs: waiting, if the plan waits and could not be made otherwise.
StateOptions options_for(Instance const& instance, std::span<std::size_t const> actions, StateOptions options) {
    if (replay_actions(instance, actions, options)) return options;
    StateOptions waiting = options;
    waiting.allow_waiting = true;
    return replay_actions(instance, actions, waiting) ? waiting : options;
}

/// Is the encoder shown the state as it is, and not the start of its episode? Of a start itself nobody can tell.
bool shows_itself(Observation const& seen) {
    auto const* const schedule = std::get_if<ScheduleObservation>(&seen);
    return schedule != nullptr && !schedule->encoder &&
           std::ranges::any_of(schedule->scheduled, [](std::uint8_t flag) { return flag != 0; });
}

} // namespace

bool nothing_allowed(State const& state) {
    return std::ranges::none_of(state.action_mask(), [](std::uint8_t allowed) { return allowed != 0; });
}

std::size_t most_probable(LogProbs const& log_probs) {
    assert(!log_probs.empty());
    return static_cast<std::size_t>(std::ranges::max_element(log_probs) - log_probs.begin());
}

/// Inverts the distribution function; rounding may leave a sliver at the end, which the last possible action takes.
std::size_t draw_action(LogProbs const& log_probs, Rng& rng) {
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

std::optional<std::size_t> Decision::runner_up() const {
    std::optional<std::size_t> second;
    for (std::size_t a = 0; a < log_probs.size(); ++a) {
        if (a == action || state->action_mask()[a] == 0 || !std::isfinite(log_probs[a])) continue;
        if (!second || log_probs[a] > log_probs[*second]) second = a;
    }
    return second;
}

double Decision::margin() const {
    auto const second = runner_up();
    return second ? log_probs[action] - log_probs[*second] : std::numeric_limits<double>::infinity();
}

std::vector<std::size_t> Episode::actions() const { return before(decisions.size()); }

std::vector<std::size_t> Episode::before(std::size_t step) const {
    std::vector<std::size_t> actions;
    for (std::size_t t = 0; t < step; ++t) actions.push_back(decisions[t].taken());
    return actions;
}

EncodeMode encode_mode(Policy const& policy, EncodeMode wanted) {
    if (!policy.traits().has_encoder || policy.info().stepwise) return EncodeMode::each_step;
    return policy.encoding_changes() ? wanted : EncodeMode::once;
}

Result<std::vector<Episode>> rollout(Policy const& policy, std::span<InstancePtr const> instances,
                                     RolloutOptions const& options) {
    // Encodings live as long as their episodes: a few instances at a time, so that memory does not grow with the set.
    constexpr std::size_t group = 32;
    std::vector<Episode> episodes;
    std::size_t decided = 0;
    auto const stepped = [&](std::size_t steps) {
        decided += steps;
        if (options.progress) options.progress(decided, std::max(decided, instances.size() * options.steps));
    };
    for (std::size_t first = 0; first < instances.size(); first += group) {
        GroupRollout own(policy, options, first);
        for (InstancePtr const& instance : instances.subspan(first, std::min(group, instances.size() - first))) {
            if (auto ok = own.start(instance); !ok) return ok.error();
        }
        auto found = own.run(stepped);
        if (!found) return found.error();
        std::ranges::move(*found, std::back_inserter(episodes));
    }
    return episodes;
}

Result<Episode> rollout(Policy const& policy, InstancePtr const& instance, RolloutOptions const& options) {
    auto episodes = rollout(policy, std::span(&instance, 1), options);
    if (!episodes) return episodes.error();
    return std::move(episodes->front());
}

std::map<std::size_t, std::size_t> forced_actions(std::span<std::size_t const> plan) {
    std::map<std::size_t, std::size_t> forced;
    for (std::size_t step = 0; step < plan.size(); ++step) forced[step] = plan[step];
    return forced;
}

Result<Episode> rollout_external(Policy const& policy, InstancePtr const& instance, ExternalPlan const& plan,
                                 StateOptions const& options) {
    auto const own = rollout(policy, instance, {.state = options});
    if (!own) return own.error();
    auto const actions = actions_of_plan(*instance, plan, *own);
    if (!actions) return actions.error();
    StateOptions const state = options_for(*instance, *actions, options);
    if (auto const end = replay_actions(*instance, *actions, state); !end) {
        return end.error().within("the plan " + plan.source);
    }
    auto episode = rollout(policy, instance,
                           {.steps = actions->size(), .state = state, .forced = forced_actions(*actions)});
    if (!episode) return episode.error().within("the plan " + plan.source);
    if (!episode->finished) {
        return Error{ErrorCode::invalid_value, fmt::format("the plan {}: its {} actions do not finish the instance",
                                                           plan.source, actions->size())};
    }
    auto const solution = instance->solution_of(own->actions());
    if (!solution) return solution.error();
    Episode::External external{.source = plan.source};
    external.policy_cost = instance->check(*solution).cost;
    external.waits = state.allow_waiting && !options.allow_waiting;
    double const cost = instance->check(plan.solution).cost;
    if (external.policy_cost != 0 && !same_cost(cost, external.policy_cost))
        external.gap = (cost - external.policy_cost) / std::fabs(external.policy_cost);
    episode->external = std::move(external);
    return episode;
}

Result<StatePtr> replay_actions(Instance const& instance, std::span<std::size_t const> actions,
                                StateOptions const& options) {
    StatePtr state = instance.reset(options);
    for (std::size_t t = 0; t < actions.size(); ++t) {
        if (auto ok = is_allowed(*state, actions[t]); !ok) return ok.error().within(fmt::format("step {}", t + 1));
        state->step(actions[t]);
    }
    return state;
}

Completer::Completer(Policy const& policy)
    : policy_(policy), scorer_(std::make_unique<EpisodeScorer>(policy, /*once=*/true)) {}
Completer::~Completer() = default;

std::optional<std::vector<std::size_t>> Completer::from(State const& state, Rng* rng) {
    std::vector<std::size_t> actions;
    if (state.done()) return actions;
    if (nothing_allowed(state)) return std::nullopt;
    EpisodeScorer const each_step(policy_, /*once=*/false);
    EpisodeScorer const* scorer = scorer_.get();
    if (!scorer_->begun() || policy_.encoding_changes()) {
        Observation const first = policy_.observe(state);
        scorer_->begin({&first, 1});
        if (policy_.encoding_changes() && shows_itself(first)) scorer = &each_step;
    }
    bool stuck = false;
    auto const choose = [&](std::size_t, LogProbs log_probs) -> Result<std::optional<std::size_t>> {
        stuck = log_probs.empty();
        if (stuck) return std::optional<std::size_t>();
        actions.push_back(rng != nullptr ? draw_action(log_probs, *rng) : most_probable(log_probs));
        return std::optional(actions.back());
    };
    RunningEpisode episode{.state = state.clone()};
    auto const ran = run_episodes(*scorer, std::span(&episode, 1), choose);
    assert(ran);
    if (stuck || !ran) return std::nullopt;
    return actions;
}

} // namespace cax
