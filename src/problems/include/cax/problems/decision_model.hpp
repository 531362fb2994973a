#pragma once
// A question about an instance as a constraint model, and the way back from an assignment to a solution. Where the
// answer needs no search, the model has no variables: either nothing is left to decide, and solution({}) is the
// witness, or it holds a constraint that nothing can satisfy, tagged with the family that rules it out.
#include "cax/model/constraint_model.hpp"
#include "cax/problems/solution.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace cax {

/// What a problem's own exact method found out.
struct ExactAnswer {
    enum class Outcome {
        found,        ///< here is a solution, up to the rounding that was asked for
        none,         ///< proven: there is none, with numbers rounded as asked for
        budget_spent, ///< stopped; nothing is known
        stopped,      ///< by the caller; nothing is known
    };
    Outcome outcome = Outcome::budget_spent;
    std::optional<Solution> solution;
    std::uint64_t work = 0; ///< states looked at
};

struct DecisionModel {
    ConstraintModel model;
    std::function<Solution(std::span<std::int64_t const>)> solution; ///< of an assignment of all variables
    /// A method of the problem's own that answers the same question better than a general solver would; may be empty.
    std::function<ExactAnswer(std::uint64_t work, std::function<bool()> const& stop)> exact{};
};

} // namespace cax
