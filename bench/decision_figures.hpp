#pragma once
// The measurements of decision_figures that have files of their own.
#include "cax/problems/problem.hpp"

namespace cax::figures {

/// What swap names on so many decisions, beside random weights and the other shipped seeds.
void swap_figures(Problem const& problem, std::size_t count, std::size_t seed);
/// Forward passes and processor time of every part of an explanation, on so many instances.
void cost_figures(Problem const& problem, std::size_t count, std::size_t seed);
/// How small guided changes are and what they cost, against the sampler's on the same decisions.
void guided_figures(Problem const& problem, std::size_t count, std::size_t seed, std::uint32_t stream);
/// How often the intervals of `sensitivity` hold what `plain` samples per family, asked one by one, say.
void coverage_figures(Problem const& problem, std::size_t count, std::size_t seed, std::size_t plain);

} // namespace cax::figures
