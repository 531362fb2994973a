#include "cax/problems/routing/instance.hpp"

#include "../errors.hpp"
#include "distances.hpp"
#include "problem.hpp"

namespace cax::routing {

Instance::Instance(Numbers numbers)
    : table::Instance(std::move(numbers), 2), places_(to_pairs<Point>(this->numbers().columns[0])) {}

void Instance::distances_from(std::size_t node, std::span<float> out) const { table_.row(places_, node, out); }

Result<Solution> Instance::solution_of(std::span<std::size_t const> actions) const {
    StatePtr const state = reset();
    Routes solution{{{}}};
    Problem const& own = problem_of(*this);
    bool const one_tour = own.one_tour();
    for (std::size_t t = 0; t < actions.size(); ++t) {
        std::size_t const node = actions[t];
        if (node >= nodes()) return invalid("step {}: there is no node {}", t + 1, node);
        if (state->done() && node != 0) return invalid("step {}: visits {} after the end", t + 1, own.name_of(node));
        if (state->done()) continue; // a finished instance waits for the others of its batch
        state->step(node);
        if (node != 0 || !own.look().nodes.depot)
            solution.routes.back().push_back(node);
        else if (!one_tour && !solution.routes.back().empty())
            solution.routes.emplace_back();
    }
    if (!state->done()) return invalid("the episode is not finished after {} steps", actions.size());
    if (!one_tour && solution.routes.back().empty()) solution.routes.pop_back();
    return Solution{std::move(solution)};
}

CheckReport Instance::check(Solution const& solution, DistanceRule rule) const {
    if (auto const* routes = std::get_if<Routes>(&solution)) return check_routes(*routes, rule);
    return {
        .violations = {problem_of(*this).one_tour() ? "the solution is no tour" : "the solution is no list of routes"}};
}

} // namespace cax::routing
