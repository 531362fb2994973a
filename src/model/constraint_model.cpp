#include "cax/model/constraint_model.hpp"

#include <algorithm>
#include <cassert>

namespace cax {
namespace {

using Assignment = std::span<std::int64_t const>;

/// Position `index` of a list, if there is one.
template <class List> bool has(List const& list, std::int64_t index) {
    return index >= 0 && index < static_cast<std::int64_t>(list.size());
}

bool holds(LinearRule const& rule, Assignment x) {
    if (rule.condition && x[*rule.condition] == 0) return true;
    std::int64_t sum = 0;
    for (auto const& [variable, coefficient] : rule.terms) sum += coefficient * x[variable];
    return sum >= rule.low && sum <= rule.high;
}

bool holds(AllowedValues const& rule, Assignment x) {
    return std::ranges::find(rule.values, x[rule.variable]) != rule.values.end();
}

bool holds(Indicator const& rule, Assignment x) { return (x[rule.flag] == 1) == (x[rule.variable] == rule.value); }

bool holds(TableElement const& rule, Assignment x) {
    std::int64_t const index = x[rule.index];
    return has(rule.table, index) && x[rule.result] == rule.table[static_cast<std::size_t>(index)];
}

bool holds(VariableElement const& rule, Assignment x) {
    std::int64_t const index = x[rule.index];
    return has(rule.variables, index) && x[rule.result] == x[rule.variables[static_cast<std::size_t>(index)]];
}

bool holds(Circuit const& rule, Assignment x) {
    std::size_t const places = rule.successor.size();
    std::size_t here = 0;
    for (std::size_t steps = 1; steps <= places; ++steps) {
        std::int64_t const next = x[rule.successor[here]];
        if (!has(rule.successor, next)) return false;
        if (x[rule.predecessor[static_cast<std::size_t>(next)]] != static_cast<std::int64_t>(here)) return false;
        here = static_cast<std::size_t>(next);
        if (here == 0) return steps == places; // back at the start: after all places, or too early
    }
    return places == 0;
}

bool holds(BinPacking const& rule, Assignment x) {
    std::vector<std::int64_t> loads(rule.loads.size(), 0);
    for (std::size_t i = 0; i < rule.bins.size(); ++i) {
        std::int64_t const bin = x[rule.bins[i]];
        if (!has(loads, bin)) return false;
        loads[static_cast<std::size_t>(bin)] += rule.sizes[i];
    }
    for (std::size_t b = 0; b < loads.size(); ++b) {
        if (x[rule.loads[b]] != loads[b]) return false;
    }
    return true;
}

bool holds(NoOverlap const& rule, Assignment x) {
    std::vector<NoOverlap::Task> present;
    for (auto const& task : rule.tasks) {
        if (task.duration == 0) continue; // an empty interval overlaps nothing
        if (!task.presence || x[*task.presence] == 1) present.push_back(task);
    }
    for (std::size_t i = 0; i < present.size(); ++i) {
        for (std::size_t k = i + 1; k < present.size(); ++k) {
            auto const& [a, a_time, a_flag] = present[i];
            auto const& [b, b_time, b_flag] = present[k];
            if (x[a] < x[b] + b_time && x[b] < x[a] + a_time) return false;
        }
    }
    return true;
}

} // namespace

std::size_t ConstraintModel::add_variable(std::int64_t low, std::int64_t high, std::string name) {
    variables.push_back({low, high, std::move(name)});
    return variables.size() - 1;
}

std::vector<std::size_t> violated(ConstraintModel const& model, Assignment assignment) {
    assert(assignment.size() == model.variables.size());
    std::vector<std::size_t> broken;
    for (std::size_t c = 0; c < model.constraints.size(); ++c) {
        bool const kept =
            std::visit([&](auto const& rule) { return holds(rule, assignment); }, model.constraints[c].rule);
        if (!kept) broken.push_back(c);
    }
    return broken;
}

bool within_bounds(ConstraintModel const& model, Assignment assignment) {
    assert(assignment.size() == model.variables.size());
    for (std::size_t v = 0; v < assignment.size(); ++v) {
        if (assignment[v] < model.variables[v].low || assignment[v] > model.variables[v].high) return false;
    }
    return true;
}

ConstraintModel without_family(ConstraintModel const& model, std::size_t family) {
    ConstraintModel rest{model.variables, {}, model.branchings};
    for (Constraint const& constraint : model.constraints) {
        if (constraint.family != family && !constraint.implied) rest.constraints.push_back(constraint);
    }
    return rest;
}

} // namespace cax
