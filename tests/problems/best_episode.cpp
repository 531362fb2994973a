#include "best_episode.hpp"

namespace cax::test {

std::optional<double> best_episode(State const& state, std::vector<std::size_t> actions) {
    Instance const& instance = state.instance();
    if (state.done()) {
        CheckReport const report = instance.check(*instance.solution_of(actions));
        return report.valid() ? std::optional(report.cost) : std::nullopt;
    }
    bool const minimise = instance.problem().info().objective == Objective::minimise;
    std::optional<double> best;
    auto const mask = state.action_mask();
    for (std::size_t action = 0; action < mask.size(); ++action) {
        if (mask[action] == 0) continue;
        StatePtr const next = state.clone();
        next->step(action);
        actions.push_back(action);
        auto const cost = best_episode(*next, actions);
        actions.pop_back();
        if (cost && (!best || (minimise ? *cost < *best : *cost > *best))) best = cost;
    }
    return best;
}

} // namespace cax::test
