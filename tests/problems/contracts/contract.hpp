#pragma once
// What every problem promises, tested over the registry without naming one: a new problem gets these tests by being
// registered. Sizes are each problem's default.
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace cax::test {

class ProblemContract : public testing::TestWithParam<Problem const*> {
protected:
    [[nodiscard]] Problem const& problem() const { return *GetParam(); }
    [[nodiscard]] ProblemInfo const& info() const { return problem().info(); }
    [[nodiscard]] InstancePtr generated(std::uint64_t seed) const;
    [[nodiscard]] bool registered() const {
        return std::ranges::find(all_problems(), &problem()) != all_problems().end();
    }
};

/// Actions that the mask allows.
[[nodiscard]] std::vector<std::size_t> allowed_actions(State const& state);
/// Takes up to `steps` random allowed actions; returns them.
std::vector<std::size_t> random_steps(State& state, Rng& rng, std::size_t steps);
/// Random allowed actions until done. Fails the test if the episode does not end.
std::vector<std::size_t> random_episode(State& state, Rng& rng);

/// Same names, types, shapes and bytes?
void expect_same_tensors(NamedTensors const& a, NamedTensors const& b);
/// Do both instances reset to the same state, and stay the same through a random episode?
void expect_same_behaviour(Instance const& a, Instance const& b, Rng& rng);

/// What the search says of twelve small instances, beside the best of all their episodes. Costs are the checker's,
/// which knows nothing of what solvers minimise.
struct SearchMisses {
    std::size_t missed = 0;         ///< another one was better
    std::size_t falsely_proved = 0; ///< although it was called optimal
    std::size_t impossible = 0;     ///< routes that are better than all episodes
};
[[nodiscard]] SearchMisses misses_of_search(Problem const& problem, bool exact);

/// Names the test after the problem.
[[nodiscard]] std::string problem_name(testing::TestParamInfo<Problem const*> const& parameter);

} // namespace cax::test
