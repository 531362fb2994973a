#pragma once
// The naive oracle of searches, completions and models: all episodes there are.
#include "cax/problems/problem.hpp"

#include <optional>
#include <vector>

namespace cax::test {

/// The best cost of all episodes that go on from this state and are solutions, by the checker; nothing if none is one.
/// `actions` led here.
[[nodiscard]] std::optional<double> best_episode(State const& state, std::vector<std::size_t> actions = {});

} // namespace cax::test
