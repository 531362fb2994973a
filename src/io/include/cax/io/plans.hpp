#pragma once
// A plan that somebody else made for an instance, from any file in which plans come: a result of `cax solve`
// (cax/solve/1, or its --solutions), a baseline or best-known file, VRPLIB's .sol, or a JSON object that holds nothing
// but the plan ({"routes": ...}, {"tour": ...}, {"schedule": ...}, {"packing": ...}).
#include "cax/problems/problem.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cax::io {

struct PlanFile {
    Solution solution;
    std::vector<std::size_t> actions; ///< the episode that made it, if the file says so
    std::string maker;                ///< "cax solve", "a baseline": empty if the file does not say
};

/// Which of a file's plans: files of one plan have no choice.
struct PlanPlace {
    std::size_t number = 0; ///< of the instance in its own file
    std::string set;        ///< of a best-known file with several
};

/// Error if it is no such file, has no such place, or its plan is not valid for the instance at the cost that it
/// states.
[[nodiscard]] Result<PlanFile> parse_plan(std::string_view text, PlanPlace const& place, Instance const& instance);

} // namespace cax::io
