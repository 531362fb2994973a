#include "tour_support.hpp"

#include <algorithm>
#include <functional>

namespace cax::test {

InstancePtr generated_tour(std::string_view problem, std::size_t size, std::uint64_t seed, Options const& options) {
    Rng rng(seed);
    auto const instance = find_problem(problem)->generate(std::to_string(size), options, rng);
    if (!instance) {
        ADD_FAILURE() << instance.error().message;
        std::abort();
    }
    return *instance;
}

std::optional<double> cheapest_by_trying(Instance const& instance, std::vector<std::size_t> const& prefix) {
    std::optional<double> best;
    std::vector<std::size_t> actions = prefix;
    auto const start = instance.reset();
    for (std::size_t const action : prefix) start->step(action);
    std::function<void(State const&)> const walk = [&](State const& state) {
        if (state.done()) {
            auto const solution = instance.solution_of(actions);
            auto const report = instance.check(*solution);
            if (report.valid() && (!best || report.cost < *best)) best = report.cost;
            return;
        }
        for (std::size_t a = 0; a < state.action_mask().size(); ++a) {
            if (state.action_mask()[a] == 0) continue;
            auto const next = state.clone();
            next->step(a);
            actions.push_back(a);
            walk(*next);
            actions.pop_back();
        }
    };
    walk(*start);
    return best;
}

void expect_masks(std::string_view problem, NaiveMask const& mask, std::uint32_t episodes, Options const& options) {
    for (std::uint32_t episode = 0; episode < episodes; ++episode) {
        Rng rng(5, episode);
        auto const instance = generated_tour(problem, 2 + rng.below(24), episode, options);
        auto const state = instance->reset();
        std::vector<std::size_t> actions;
        while (!state->done()) {
            std::vector<int> const ours(state->action_mask().begin(), state->action_mask().end());
            ASSERT_EQ(ours, mask(*instance, actions)) << "episode " << episode << ", step " << actions.size();
            std::size_t action = rng.below(ours.size());
            while (ours[action] == 0) action = (action + 1) % ours.size();
            state->step(action);
            actions.push_back(action);
        }
    }
}

std::vector<std::string> wrong_with(Instance const& instance, std::vector<std::size_t> tour) {
    return instance.check(Routes{{std::move(tour)}}).violations;
}

} // namespace cax::test
