#pragma once
// All problems that cax knows. Adding one is a line in registry.cpp.
#include "cax/problems/problem.hpp"

namespace cax {

[[nodiscard]] std::span<Problem const* const> all_problems();
/// Nothing if there is no problem of that name.
[[nodiscard]] Problem const* find_problem(std::string_view name);
/// "cvrptw, op, fjsp, cvrp", for help and error messages.
[[nodiscard]] std::string problem_names();

} // namespace cax
