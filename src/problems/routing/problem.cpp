#include "problem.hpp"

namespace cax::routing {

Problem::Problem(ProblemInfo info, std::span<Field const> fields, Look look)
    : table::Problem(std::move(info), fields,
                     {.families = look.families,
                      .nodes = look.nodes,
                      .depot_apart = look.depot_apart,
                      .context = std::move(look.context),
                      .arrays = std::move(look.arrays),
                      .foreign = std::move(look.foreign)}),
      one_tour_(look.one_tour),
      weight_(look.weight) {}

std::vector<TensorCopy> Problem::copies(cax::State const& state) const {
    return {{"depot", 0, 0}, {"current_loc", 0, 2 * static_cast<State const&>(state).current_node()}};
}

Problem const& problem_of(cax::Instance const& instance) { return static_cast<Problem const&>(instance.problem()); }

} // namespace cax::routing
