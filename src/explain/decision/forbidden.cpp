#include "cax/explain/forbidden.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cax {
namespace {

/// The nodes that have been dealt with: they are no longer a matter of any rule that could be lifted.
std::vector<std::size_t> nodes_done(Instance const& instance, std::span<std::size_t const> before) {
    Presentation const& words = instance.problem().presentation();
    bool const waits = !replay_actions(instance, before); // episodes with and without waiting are two kinds
    StatePtr const state = instance.reset({.allow_waiting = waits});
    std::vector<std::size_t> done;
    for (std::size_t const action : before) {
        if (auto const node = words.node_of(*state, action)) done.push_back(*node);
        state->step(action);
    }
    return done;
}

/// The one family whose rules forbid the action, with its most broken rule; nothing if it takes two, or none of them,
/// or if it is no rule that could be lifted.
std::optional<Slack> only_broken_rule(State const& state, std::size_t action) {
    std::optional<Slack> broken;
    for (Slack& slack : slacks_of(state, action)) {
        if (!(slack.slack < 0)) continue;
        if (slack.by_nature) return std::nullopt;
        if (broken && broken->family != slack.family) return std::nullopt;
        if (!broken || slack.slack < broken->slack) broken = std::move(slack);
    }
    return broken;
}

} // namespace

std::vector<Forbidden> forbidden(Policy const& policy, Decision const& decision, std::span<std::size_t const> before) {
    State const& state = *decision.state;
    Problem const& problem = state.instance().problem();
    auto const mask = state.action_mask();
    auto const done = nodes_done(state.instance(), before);
    std::vector<std::vector<std::size_t>> lifted(problem.info().families.size());
    std::vector<std::optional<Slack>> rules(mask.size());
    for (std::size_t a = 0; a < mask.size(); ++a) {
        if (mask[a] != 0 && std::isfinite(decision.log_probs[a])) continue;
        auto const node = problem.presentation().node_of(state, a);
        if (!node || std::ranges::find(done, *node) != done.end()) continue;
        rules[a] = only_broken_rule(state, a);
        if (rules[a]) lifted[rules[a]->family].push_back(a);
    }
    std::vector<Forbidden> found;
    for (auto const& actions : lifted) {
        if (actions.empty()) continue;
        Observation seen = policy.observe(state);
        std::visit(
            [&](auto& each) {
                for (std::size_t const a : actions) each.mask[a] = 1;
                if constexpr (requires { each.lookahead; }) {
                    for (std::size_t k = 0; !each.lookahead.empty() && k < actions.size(); ++k)
                        each.lookahead[actions[k]] = 1;
                }
            },
            seen);
        LogProbs const log_probs = policy.log_probs({&seen, 1}).front();
        std::size_t const favourite = most_probable(log_probs);
        if (std::ranges::find(actions, favourite) == actions.end()) continue;
        found.push_back(
            {*rules[favourite], favourite, std::exp(log_probs[favourite]), actions.size(), mask[favourite] != 0});
    }
    return found;
}

} // namespace cax
