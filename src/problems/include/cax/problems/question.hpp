#pragma once
// What certification asks about an instance: is there a solution, is there one that spends no more than this, is there
// one that begins like this?
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cax {

struct Question {
    std::vector<std::size_t> prefix; ///< actions that the solution begins with; empty = any beginning
    std::optional<double> bound;     ///< on the problem's scarce resource, see ProblemInfo::bound_option
    /// On the cost as well, where that is something else (ProblemInfo::cost_option).
    std::optional<double> cost_bound{};
};

/// Solvers count in whole numbers, instances do not. `strict` rounds against the solution: one that is found exists.
/// `loose` rounds in its favour: if none is found, none exists.
enum class Rounding { strict, loose };

} // namespace cax
