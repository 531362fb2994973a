#include "explanation/parts.hpp"

#include <algorithm>
#include <cmath>

namespace cax {

Choice choice_of(Cell const& cell, std::size_t action) {
    return {action, describe_action(*cell.state, action), std::exp(cell.log_probs[action]), cell.state};
}

Step decided_step(Explaining const& all, std::size_t step) {
    Cell const& cell = all.walk.cells[step];
    auto const mask = cell.state->action_mask();
    Step result;
    result.step = step;
    result.choice = choice_of(cell, cell.taken());
    result.log_prob = cell.log_probs[cell.taken()];
    result.log_probs = cell.log_probs;
    result.allowed = static_cast<std::size_t>(std::ranges::count_if(mask, [](auto allowed) { return allowed != 0; }));
    result.actions = mask.size();
    if (cell.given) result.favourite = choice_of(cell, cell.action);
    if (result.differs())
        result.runner_up = result.favourite;
    else if (auto const second = cell.runner_up())
        result.runner_up = choice_of(cell, *second);
    result.slacks = slacks_of(*cell.state, cell.taken());
    return result;
}

Result<ScoredAttribution> explain_attribution(Explaining const& all, std::size_t step) {
    auto cells = attribute(all.policy, std::span(&all.walk.cells[step], 1), all.options.attributions);
    if (!cells) return cells.error();
    return scored(std::move(cells->front()), *all.multipliers);
}

Result<StepSubset> explain_subset(Explaining const& all, std::size_t step, std::vector<double> const& scores) {
    SubsetOptions const& options = all.options.subsets;
    Cell const& cell = all.walk.cells[step];
    auto const candidates = subset_nodes(*cell.state, options);
    auto const order = scores.empty() ? candidates : order_by_scores(candidates, scores);
    auto subset = kept_or<Subset>(all.options.kept.get(), step,
                                  [&] { return sufficient_subset(all.policy, cell, order, options); });
    if (!subset) return subset.error();
    StepSubset result;
    result.subset = *std::move(subset);
    for (std::size_t const node : result.subset.nodes) {
        result.labels.push_back(all.presentation.node_short(all.instance(), node));
    }
    result.k_max = std::min(options.k_max, result.subset.nodes_in_all);
    result.epsilon = options.epsilon;
    result.confidence = 1 - options.delta;
    result.level = result.subset.level;
    result.guaranteed = result.subset.accepted && result.subset.observed.lower_bound >= 1 - options.epsilon;
    return result;
}

} // namespace cax
