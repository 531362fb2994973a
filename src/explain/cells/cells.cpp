#include "cax/explain/cells.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace cax {
namespace {

std::string instance_name(std::size_t index) { return fmt::format("instance {}", index); }

/// Policies of two problems can have the same shape: that a policy can read an instance does not mean that it should.
Result<void> is_for(Policy const& policy, Instance const& instance) {
    std::string_view const own = policy.info().problem;
    std::string_view const given = instance.problem().info().name;
    if (own.empty() || own == given) return {};
    return Error{ErrorCode::mismatch, fmt::format("the policy is for {}, not for {}", own, given)};
}

Result<void> is_allowed(State const& state, std::size_t action) {
    auto const mask = state.action_mask();
    if (action >= mask.size()) {
        return Error{ErrorCode::invalid_value, fmt::format("action {}: there are {} actions", action, mask.size())};
    }
    if (!state.done() && mask[action] != 0) return {};
    return Error{ErrorCode::invalid_value, fmt::format("{} is not allowed", describe_action(state, action))};
}

/// A few instances, walked together.
class Walkers {
public:
    /// `first` is the place of the first one among all.
    Walkers(Policy const& policy, WalkOptions const& options, std::size_t first)
        : policy_(policy), options_(options), first_(first) {}

    Result<void> start(InstancePtr const& instance) {
        walks_.push_back({instance, {}, false});
        states_.push_back(instance->reset(options_.state));
        starts_.push_back(policy_.observe(*states_.back()));
        if (auto ok = policy_.accepts(starts_.back()); !ok) return ok.error().within(name(walks_.size() - 1));
        if (auto ok = is_for(policy_, *instance); !ok) return ok.error().within(name(walks_.size() - 1));
        return {};
    }

    /// Progress counts decisions since the last call.
    Result<std::vector<Walk>> walk(Progress const& progress) {
        for (std::size_t step = 0; options_.steps == 0 || step < options_.steps; ++step) {
            std::vector<std::size_t> active;
            for (std::size_t i = 0; i < states_.size(); ++i) {
                if (states_[i]->done()) continue;
                if (nothing_allowed(*states_[i])) return stuck(i, step);
                active.push_back(i);
            }
            if (active.empty()) break;
            auto log_probs = ask(active);
            for (std::size_t k = 0; k < active.size(); ++k) {
                if (auto ok = take(active[k], step, std::move(log_probs[k])); !ok) return ok.error();
            }
            progress(active.size(), 0);
        }
        for (std::size_t i = 0; i < states_.size() && !options_.given.empty(); ++i) {
            std::size_t const last = options_.given.rbegin()->first;
            if (last < walks_[i].cells.size() || !states_[i]->done()) continue;
            return Error{ErrorCode::invalid_value, fmt::format("step {} is beyond the end: the episode has {} steps",
                                                               last + 1, walks_[i].cells.size())}
                .within(name(i));
        }
        for (std::size_t i = 0; i < states_.size(); ++i) walks_[i].finished = states_[i]->done();
        return std::move(walks_);
    }

private:
    /// An encoding serves the whole episode unless the encoder's inputs change on the way; the bits are the same.
    std::vector<LogProbs> ask(std::vector<std::size_t> const& active) {
        bool const once = !policy_.encoding_changes() || options_.state.encode_once;
        if (once && !encoding_) encoding_ = policy_.encode(starts_);
        std::vector<Observation> seen;
        for (std::size_t const i : active) {
            seen.push_back(once ? policy_.observe_for_decoding(*states_[i]) : policy_.observe(*states_[i]));
        }
        return once ? policy_.decode(*encoding_, active, seen) : policy_.log_probs(seen);
    }

    Result<void> take(std::size_t i, std::size_t step, LogProbs log_probs) {
        std::size_t const own = most_probable(log_probs);
        Cell cell{number(i), step, std::shared_ptr<State const>(states_[i]->clone()), own, std::move(log_probs)};
        if (auto const given = options_.given.find(step); given != options_.given.end()) {
            if (auto ok = is_allowed(*states_[i], given->second); !ok) {
                return ok.error().within(fmt::format("step {}", step + 1)).within(name(i));
            }
            cell.given = given->second;
        }
        states_[i]->step(cell.taken());
        walks_[i].cells.push_back(std::move(cell));
        return {};
    }

    [[nodiscard]] Error stuck(std::size_t i, std::size_t step) const {
        return Error{ErrorCode::invalid_value, fmt::format("step {}: no action is allowed", step + 1)}.within(name(i));
    }
    [[nodiscard]] std::size_t number(std::size_t i) const {
        return options_.numbers.empty() ? first_ + i : options_.numbers[first_ + i];
    }
    [[nodiscard]] std::string name(std::size_t i) const { return instance_name(number(i)); }

    Policy const& policy_;
    WalkOptions const& options_;
    std::size_t first_;
    std::vector<Walk> walks_;
    std::vector<StatePtr> states_;
    std::vector<Observation> starts_;
    std::unique_ptr<Encoding> encoding_;
};

} // namespace

bool nothing_allowed(State const& state) {
    return std::ranges::none_of(state.action_mask(), [](std::uint8_t allowed) { return allowed != 0; });
}

std::size_t most_probable(LogProbs const& log_probs) {
    assert(!log_probs.empty());
    return static_cast<std::size_t>(std::ranges::max_element(log_probs) - log_probs.begin());
}

std::optional<std::size_t> Cell::runner_up() const {
    std::optional<std::size_t> second;
    for (std::size_t a = 0; a < log_probs.size(); ++a) {
        if (a == action || state->action_mask()[a] == 0 || !std::isfinite(log_probs[a])) continue;
        if (!second || log_probs[a] > log_probs[*second]) second = a;
    }
    return second;
}

double Cell::margin() const {
    auto const second = runner_up();
    return second ? log_probs[action] - log_probs[*second] : std::numeric_limits<double>::infinity();
}

std::vector<std::size_t> Walk::actions() const {
    std::vector<std::size_t> actions;
    for (Cell const& cell : cells) actions.push_back(cell.taken());
    return actions;
}

Result<std::vector<Walk>> walk(Policy const& policy, std::span<InstancePtr const> instances,
                               WalkOptions const& options) {
    // Encodings live as long as their episodes: a few instances at a time, so that memory does not grow with the set.
    constexpr std::size_t group = 32;
    std::vector<Walk> walks;
    std::size_t decided = 0;
    Progress const progress = [&](std::size_t steps, std::size_t) {
        decided += steps;
        if (options.progress) options.progress(decided, std::max(decided, instances.size() * options.steps));
    };
    for (std::size_t first = 0; first < instances.size(); first += group) {
        Walkers walkers(policy, options, first);
        for (InstancePtr const& instance : instances.subspan(first, std::min(group, instances.size() - first))) {
            if (auto ok = walkers.start(instance); !ok) return ok.error();
        }
        auto walked = walkers.walk(progress);
        if (!walked) return walked.error();
        std::ranges::move(*walked, std::back_inserter(walks));
    }
    return walks;
}

Result<Walk> walk_along(Policy const& policy, InstancePtr const& instance, std::span<std::size_t const> plan,
                        StateOptions const& options) {
    if (auto const end = replay(*instance, plan, options); !end) return end.error();
    WalkOptions walking{.steps = plan.size(), .state = options};
    for (std::size_t step = 0; step < plan.size(); ++step) walking.given[step] = plan[step];
    auto walked = walk(policy, std::span(&instance, 1), walking);
    if (!walked) return walked.error();
    return std::move(walked->front());
}

Result<StatePtr> replay(Instance const& instance, std::span<std::size_t const> actions, StateOptions const& options) {
    StatePtr state = instance.reset(options);
    for (std::size_t t = 0; t < actions.size(); ++t) {
        if (auto ok = is_allowed(*state, actions[t]); !ok) return ok.error().within(fmt::format("step {}", t + 1));
        state->step(actions[t]);
    }
    return state;
}

} // namespace cax
