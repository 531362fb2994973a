#pragma once
// The cheapest way to share few rows out among routes of a pool, by dynamic programming over their sets: the lowest row
// that is not covered comes next. What is dearer than the gap by its reduced costs so far is dropped.
#include "pool_search.hpp"

namespace cax::oracle {

/// There is a number for each of their sets.
inline constexpr std::size_t most_shared_rows = 20;

/// As search_pool. Precondition: no limit on vehicles, at most most_shared_rows rows.
[[nodiscard]] PoolAnswer share_sets(std::vector<Column> const& pool, PoolTask const& task, Work& work);

} // namespace cax::oracle
