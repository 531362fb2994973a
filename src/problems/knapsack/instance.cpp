#include "cax/problems/knapsack/instance.hpp"

#include "../errors.hpp"
#include "state.hpp"

#include <algorithm>

namespace cax::knapsack {

std::string Instance::description() const {
    return fmt::format("{} items, weight at most {} and volume at most {}", nodes(), data_.max_weight,
                       data_.max_volume);
}

StatePtr Instance::reset(StateOptions const&) const { return State::first(*this); }

Result<Solution> Instance::solution_of(std::span<std::size_t const> actions) const {
    StatePtr const state = reset();
    Packing packing;
    for (std::size_t t = 0; t < actions.size(); ++t) {
        std::size_t const item = actions[t];
        if (item >= nodes()) return invalid("step {}: there is no item {}", t + 1, item);
        if (state->done() && item != 0) return invalid("step {}: packs item {} after the end", t + 1, item);
        if (state->done()) continue; // a finished instance waits for the others of its batch
        state->step(item);
        packing.items.push_back(item);
    }
    if (!state->done()) return invalid("the episode is not finished after {} steps", actions.size());
    std::ranges::sort(packing.items);
    return Solution{std::move(packing)};
}

} // namespace cax::knapsack
