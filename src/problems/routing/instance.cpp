#include "cax/problems/routing/instance.hpp"

#include "../errors.hpp"
#include "distances.hpp"
#include "problem.hpp"

#include <algorithm>
#include <numeric>

namespace cax::routing {

Instance::Instance(Numbers numbers) : numbers_(std::move(numbers)), places_(to_pairs<Point>(numbers_.columns[0])) {}

void Instance::distances_from(std::size_t node, std::span<float> out) const { table_.row(places_, node, out); }

std::string Instance::size() const { return std::to_string(nodes() - problem_of(*this).first_row()); }

std::vector<std::size_t> Instance::start_actions() const {
    bool const depot = problem_of(*this).look().nodes.depot;
    std::vector<std::size_t> actions(depot ? customers() : nodes());
    std::iota(actions.begin(), actions.end(), std::size_t{depot ? 1U : 0U});
    return actions;
}

Result<Solution> Instance::solution_of(std::span<std::size_t const> actions) const {
    StatePtr const state = reset();
    Routes solution{{{}}};
    Problem const& own = problem_of(*this);
    bool const one_tour = own.look().one_tour;
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

Result<InstancePtr> make_instance(cax::Problem const& any, Numbers numbers) {
    auto const& problem = static_cast<Problem const&>(any);
    std::size_t const nodes = std::max<std::size_t>(1, numbers.columns[0].size() / 2);
    for (Field const& field : problem.fields().subspan(numbers.columns.size())) {
        numbers.columns.emplace_back(count_of(field, nodes), *field.lacking);
    }
    return problem.make(std::move(numbers));
}

CheckReport Instance::check(Solution const& solution, DistanceRule rule) const {
    if (auto const* routes = std::get_if<Routes>(&solution)) return check_routes(*routes, rule);
    return {.violations = {problem_of(*this).look().one_tour ? "the solution is a schedule, not a tour"
                                                             : "the solution is a schedule, not a list of routes"}};
}

} // namespace cax::routing
