#pragma once
// The cheapest way to share all rows out among routes, by dynamic programming over the sets that are covered: the first
// row that is not covered comes next. What is dearer than the gap by its reduced costs so far is dropped, so it is quick
// where the prices leave a small gap.
#include "rest.hpp"
#include "work.hpp"

namespace cax::oracle {

/// A route of a pool, with what it costs at some prices: never less than 0, but for rounding. The reduced costs of a
/// solution add up to its length less a bound, or to less than that: where it does not meet cuts with equality.
struct PricedRoute {
    CustomerSet set = 0;
    double length = 0;
    double reduced = 0;       ///< the length at these prices
    std::uint32_t column = 0; ///< in the pool
};

struct SharingLimits {
    double gap = 0; ///< the reduced costs of a solution add up to less
    std::size_t sets = 0; ///< looked at, at most
};

struct Shared {
    bool complete = false; ///< all sets were looked at
    /// Columns of a solution that is at least as short as every one whose length is less than the gap above the bound.
    std::optional<std::vector<std::size_t>> chosen;
};

/// `order`: of the rows.
[[nodiscard]] Shared share_sets(std::span<PricedRoute const> routes, std::vector<std::size_t> const& order,
                                SharingLimits const& limits, Work& work);

/// Rows near each other follow each other, so that fewer sets are half done.
[[nodiscard]] std::vector<std::size_t> chain_of_rows(Rest const& rest);

} // namespace cax::oracle
