#pragma once
// A question about an instance as a constraint model, and the way back from an assignment to a solution.
#include "cax/model/constraint_model.hpp"
#include "cax/problems/solution.hpp"

#include <functional>
#include <span>

namespace cax {

struct DecisionModel {
    ConstraintModel model;
    std::function<Solution(std::span<std::int64_t const>)> solution; ///< of an assignment of all variables
};

} // namespace cax
