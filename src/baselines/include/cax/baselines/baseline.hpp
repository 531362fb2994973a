#pragma once
// Classical solutions to compare policies with: the problem's own search, and where the problem can put "is there
// anything cheaper?" to a constraint solver, a descent to the proven optimum. Anytime: more budget, better or as good;
// what comes back has been checked. No problem is named here.
#include "cax/core/progress.hpp"
#include "cax/core/result.hpp"
#include "cax/problems/problem.hpp"
#include "cax/problems/search.hpp"

#include <span>
#include <vector>

namespace cax {

/// The best that seconds or iterations allow. With limited iterations the search does so many and the solver looks at
/// so many nodes, and the same seed gives the same result unless the seconds run out first. `bound` is not looked at.
[[nodiscard]] Result<SearchResult> find_baseline(Instance const& instance, SearchOptions const& options);

struct BaselinesOptions {
    double seconds = 5; ///< for each instance
    std::uint64_t iterations = SearchOptions{}.iterations;
    std::uint64_t seed = 0;  ///< every instance has a stream of its own under it
    std::size_t threads = 0; ///< 0 = all cores; one instance per thread
    /// What the instances are called, in errors and where random numbers are named; empty = by their places.
    std::vector<std::size_t> numbers = {};
    Progress progress = {};
    std::function<bool()> stop = {}; ///< asked now and then; true ends every search with what it has
};
class OptionTable;
/// --seconds, --iterations.
void describe(OptionTable& table, BaselinesOptions& options);
/// One result per instance, in order.
[[nodiscard]] Result<std::vector<SearchResult>> find_baselines(std::span<InstancePtr const> instances,
                                                               BaselinesOptions const& options);

} // namespace cax
