#pragma once
// What every problem promises, tested over the registry without naming one: a new problem gets these tests by being
// registered. Sizes are each problem's default.
#include "cax/problems/registry.hpp"

#include <gtest/gtest.h>

namespace cax::test {

class ProblemContract : public testing::TestWithParam<Problem const*> {
protected:
    [[nodiscard]] Problem const& problem() const { return *GetParam(); }
    [[nodiscard]] ProblemInfo const& info() const { return problem().info(); }
    [[nodiscard]] InstancePtr generated(std::uint64_t seed) const;
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

/// Names the test after the problem.
[[nodiscard]] std::string problem_name(testing::TestParamInfo<Problem const*> const& parameter);

} // namespace cax::test
