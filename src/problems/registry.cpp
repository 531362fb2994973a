#include "cax/problems/registry.hpp"

#include "fjsp/problem.hpp"

#include "cax/problems/cvrp/instance.hpp"
#include "cax/problems/cvrptw/instance.hpp"
#include "cax/problems/knapsack/instance.hpp"
#include "cax/problems/op/instance.hpp"
#include "cax/problems/pctsp/instance.hpp"
#include "cax/problems/tsp/instance.hpp"
#include "cax/problems/tsptw/instance.hpp"

#include <array>

namespace cax {

std::span<Problem const* const> all_problems() {
    static std::array const problems{
        &cvrptw::problem(),   //
        &op::problem(),       //
        &fjsp::problem(),     //
        &cvrp::problem(),     //
        &tsp::problem(),      //
        &pctsp::problem(),    //
        &tsptw::problem(),    //
        &knapsack::problem(), //
    };
    return problems;
}

Problem const* find_problem(std::string_view name) {
    for (Problem const* problem : all_problems()) {
        if (problem->info().name == name) return problem;
    }
    return nullptr;
}

std::string problem_names() {
    std::string names;
    for (Problem const* problem : all_problems()) {
        names += (names.empty() ? "" : ", ") + std::string(problem->info().name);
    }
    return names;
}

} // namespace cax
