#pragma once
// A constraint satisfaction problem over whole numbers as plain data: variables with bounds, constraints tagged with
// the family they belong to, and hints for whoever searches. Problems write it, a solver reads it, tests evaluate it.
//
// Variables are named by their index. A flag is a variable with bounds within 0..1. Every number is at most
// largest_model_number in size, so that solvers may count in 32 bits.
#include "cax/core/result.hpp"
#include "cax/model/linear_program.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cax {

inline constexpr std::int64_t largest_model_number = std::int64_t{1} << 30;

struct IntVariable {
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::string name;
};

/// coefficient * variable, one summand.
struct IntTerm {
    std::size_t variable = 0;
    std::int64_t coefficient = 1;
};

/// low <= sum of terms <= high; only if the flag `condition` is 1, where there is one. No terms sum up to 0.
struct LinearRule {
    std::vector<IntTerm> terms;
    std::int64_t low = -largest_model_number;
    std::int64_t high = largest_model_number;
    std::optional<std::size_t> condition{};
};

/// The variable takes one of these values.
struct AllowedValues {
    std::size_t variable = 0;
    std::vector<std::int64_t> values;
};

/// flag = 1 if and only if variable = value.
struct Indicator {
    std::size_t flag = 0;
    std::size_t variable = 0;
    std::int64_t value = 0;
};

/// result = table[index].
struct TableElement {
    std::size_t index = 0;
    std::vector<std::int64_t> table;
    std::size_t result = 0;
};

/// result = value of variables[index].
struct VariableElement {
    std::size_t index = 0;
    std::vector<std::size_t> variables;
    std::size_t result = 0;
};

/// successor[i] is the place that follows place i on one closed tour through all places; predecessor is its inverse.
struct Circuit {
    std::vector<std::size_t> successor;
    std::vector<std::size_t> predecessor;
};

/// loads[b] = sum of sizes[i] over the items with bins[i] = b.
struct BinPacking {
    std::vector<std::size_t> bins;
    std::vector<std::int64_t> sizes;
    std::vector<std::size_t> loads;
};

/// One thing at a time: the intervals [start, start + duration) of tasks that are present do not overlap.
struct NoOverlap {
    struct Task {
        std::size_t start = 0;
        std::int64_t duration = 0;
        std::optional<std::size_t> presence{}; ///< a flag; always present without one
    };
    std::vector<Task> tasks;
};

using ConstraintRule =
    std::variant<LinearRule, AllowedValues, Indicator, TableElement, VariableElement, Circuit, BinPacking, NoOverlap>;

struct Constraint {
    ConstraintRule rule;
    std::size_t family = no_family;
    std::string sentence; ///< what it says, for a person
    bool implied = false; ///< follows from the others, is there for speed, and goes when a family goes
};

/// How to search, in the order given; variables that no hint names come last.
struct Branching {
    enum class Pick {
        in_order,
        smallest_value,     ///< the one that could be smallest
        fewest_per_failure, ///< few values left, many failures so far
        order_of_tasks,     ///< names no variables: which of two tasks on one resource comes first
    };
    std::vector<std::size_t> variables;
    Pick pick = Pick::in_order;
    /// Per variable the cost of each value from its lower bound on: the cheapest is tried first. Empty: the smallest.
    std::vector<std::vector<std::int64_t>> costs{};
};

struct ConstraintModel {
    std::vector<IntVariable> variables;
    std::vector<Constraint> constraints;
    std::vector<Branching> branchings;

    /// Each returns the index of the new variable.
    std::size_t add_variable(std::int64_t low, std::int64_t high, std::string name);
    std::size_t add_flag(std::string name) { return add_variable(0, 1, std::move(name)); }
    void add(ConstraintRule rule, std::size_t family, std::string sentence) {
        constraints.push_back({std::move(rule), family, std::move(sentence)});
    }
    void add_implied(ConstraintRule rule, std::string sentence) {
        constraints.push_back({std::move(rule), no_family, std::move(sentence), true});
    }
};

/// Is this a model that a solver may be given? Variables that exist, bounds in order, lists of equal length, flags that
/// are flags, no number too large. The error names the constraint and the value.
[[nodiscard]] Result<void> validate(ConstraintModel const& model);

/// Indices of the constraints that the assignment breaks, by their definitions. Precondition: valid model, one value
/// per variable.
[[nodiscard]] std::vector<std::size_t> violated(ConstraintModel const& model, std::span<std::int64_t const> assignment);
/// Every variable within its bounds?
[[nodiscard]] bool within_bounds(ConstraintModel const& model, std::span<std::int64_t const> assignment);

/// The model without the constraints of one family, and without those that may have followed from them.
[[nodiscard]] ConstraintModel without_family(ConstraintModel const& model, std::size_t family);

} // namespace cax
