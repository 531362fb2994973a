#include "cax/problems/registry.hpp"

#include <array>

// All problems, one line each. Where arrays fit several, they are the first one's unless somebody asked for another.
// clang-format off
#define CAX_FOR_EACH_PROBLEM(visit) \
    visit(cvrptw) \
    visit(op) \
    visit(fjsp) \
    visit(cvrp) \
    visit(tsp) \
    visit(pctsp) \
    visit(tsptw) \
    visit(knapsack) \
    visit(ovrp)
// clang-format on

#define CAX_DECLARE(name)                                                                                              \
    namespace name {                                                                                                   \
    [[nodiscard]] Problem const& problem();                                                                            \
    }
#define CAX_ADDRESS(name) &name::problem(),

namespace cax {

CAX_FOR_EACH_PROBLEM(CAX_DECLARE)

std::span<Problem const* const> all_problems() {
    static std::array const problems{CAX_FOR_EACH_PROBLEM(CAX_ADDRESS)};
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
