#include "cax/explain/cells.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
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
        if (a == action || state->action_mask()[a] == 0) continue;
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
    for (Cell const& cell : cells) actions.push_back(cell.action);
    return actions;
}

Result<std::vector<Walk>> walk(Policy const& policy, std::span<InstancePtr const> instances,
                               WalkOptions const& options) {
    std::vector<Walk> walks;
    std::vector<StatePtr> states;
    auto const number = [&](std::size_t i) { return options.numbers.empty() ? i : options.numbers[i]; };
    for (std::size_t i = 0; i < instances.size(); ++i) {
        walks.push_back({instances[i], {}, false});
        states.push_back(instances[i]->reset(options.state));
        if (auto ok = policy.accepts(policy.observe(*states[i])); !ok)
            return ok.error().within(instance_name(number(i)));
        if (auto ok = is_for(policy, *instances[i]); !ok) return ok.error().within(instance_name(number(i)));
    }
    std::size_t decided = 0;
    for (std::size_t step = 0; options.steps == 0 || step < options.steps; ++step) {
        std::vector<std::size_t> active;
        std::vector<Observation> observations;
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (states[i]->done()) continue;
            if (nothing_allowed(*states[i])) {
                return Error{ErrorCode::invalid_value, fmt::format("step {}: no action is allowed", step + 1)}.within(
                    instance_name(number(i)));
            }
            active.push_back(i);
            observations.push_back(policy.observe(*states[i]));
        }
        if (active.empty()) break;
        auto log_probs = policy.log_probs(observations);
        for (std::size_t k = 0; k < active.size(); ++k) {
            std::size_t const i = active[k];
            std::size_t const action = most_probable(log_probs[k]);
            walks[i].cells.push_back(
                {number(i), step, std::shared_ptr<State const>(states[i]->clone()), action, std::move(log_probs[k])});
            states[i]->step(action);
        }
        decided += active.size();
        if (options.progress) options.progress(decided, std::max(decided, instances.size() * options.steps));
    }
    for (std::size_t i = 0; i < states.size(); ++i) walks[i].finished = states[i]->done();
    return walks;
}

Result<StatePtr> replay(Instance const& instance, std::span<std::size_t const> actions, StateOptions const& options) {
    StatePtr state = instance.reset(options);
    for (std::size_t t = 0; t < actions.size(); ++t) {
        auto const mask = state->action_mask();
        if (actions[t] >= mask.size()) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("step {}: action {}: there are {} actions", t + 1, actions[t], mask.size())};
        }
        if (state->done() || mask[actions[t]] == 0) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("step {}: {} is not allowed", t + 1, describe_action(*state, actions[t]))};
        }
        state->step(actions[t]);
    }
    return state;
}

} // namespace cax
