#pragma once
// What a classical (not neural) search for good solutions is asked and answers. The searches themselves belong to the
// problems: Instance::search().
#include "cax/problems/solution.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

namespace cax {

struct SearchOptions {
    double seconds = 5;
    /// A budget that does not depend on the machine; with it and no shortage of seconds, same seed, same result.
    std::uint64_t iterations = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t seed = 0;
    /// On the problem's scarce resource (ProblemInfo::bound_option). With it the question is no longer how cheap a
    /// solution can be, but whether the search finds one within the bound: it ends with the first one that is. Whether
    /// it got there is for Instance::check_answer() to say.
    std::optional<double> bound = {};
    bool exact = true; ///< methods that prove may be used; without them a good solution comes sooner
    /// To be improved, instead of a first solution that the search makes for itself. Instance::check() must accept it.
    std::optional<Solution> start = {};
    std::function<bool()> stop; ///< asked now and then; true ends the search with what it has
};

struct SearchResult {
    Solution solution; ///< accepted by Instance::check()
    double cost = 0;
    bool optimal = false;              ///< proven
    std::optional<double> lower_bound; ///< proven bound on the optimal cost (an upper one where prizes are maximised)
    std::uint64_t iterations = 0;
};

} // namespace cax
