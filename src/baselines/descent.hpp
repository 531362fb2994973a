#pragma once
// From a solution to the proven optimum, by questions to a constraint solver: is there one that costs no more than
// this? Possible where the problem's scarce resource is the cost itself and all costs are multiples of one number, so
// that "no" at one step below the best solution ends the search.
#include "cax/core/result.hpp"
#include "cax/problems/problem.hpp"
#include "cax/problems/search.hpp"

#include <functional>

namespace cax {

struct DescentLimits {
    double seconds = 0;     ///< wall clock
    std::uint64_t work = 0; ///< nodes of the solver's trees in total; 0 = no limit
    std::uint64_t seed = 0;
    std::function<bool()> stop{}; ///< true ends it before the next question
};

/// Does this instance's problem offer what a descent needs? A model may still turn out to be too large.
[[nodiscard]] bool can_descend(Instance const& instance);

/// Improves `result` and its bound as far as the limits allow, and says if it has become optimal.
[[nodiscard]] Result<void> descend(Instance const& instance, DescentLimits const& limits, SearchResult& result);

} // namespace cax
