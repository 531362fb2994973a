#pragma once
// Small good things to begin with, and what one does with an instance that was read.
#include "cax/core/json_fwd.hpp"
#include "cax/problems/problem.hpp"

#include <vector>

namespace cax::fuzz {

/// Two random instances of a handful of nodes.
[[nodiscard]] std::vector<InstancePtr> some_instances(Problem const& problem);
/// The last allowed action each time, to the end.
[[nodiscard]] Solution some_solution(Instance const& instance);
/// Both, as they stand in files.
[[nodiscard]] Json instances_json(Problem const& problem);
[[nodiscard]] Json best_known_json(Problem const& problem);

/// Compact, broken UTF-8 replaced.
[[nodiscard]] std::string dump(Json const& json);

/// What every command does with an instance: looks at it, plays a few moves, checks solutions, writes it down. `moves`
/// decides which moves.
void use_instance(Instance const& instance, std::uint64_t moves);

} // namespace cax::fuzz
