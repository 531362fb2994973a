#pragma once
// The cheapest way to share all rows out among routes of a pool, by dynamic programming over the sets that are covered:
// the first row that is not covered comes next. What is dearer than the gap by its reduced costs so far is dropped. Quick
// where the gap leaves few sets, however weak the linear program is; search_pool is for all others.
#include "pool_search.hpp"

namespace cax::oracle {

/// As search_pool; not complete if there are too many sets. `order`: of the rows. Precondition: no limit on vehicles.
[[nodiscard]] PoolAnswer share_sets(std::vector<Column> const& pool, PoolTask const& task,
                                    std::vector<std::size_t> const& order, Work& work);

/// Rows near each other follow each other, so that fewer sets are half done.
[[nodiscard]] std::vector<std::size_t> chain_of_rows(Rest const& rest);

} // namespace cax::oracle
