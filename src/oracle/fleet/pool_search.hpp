#pragma once
// The cheapest way to share all rows out among routes of a pool: a partitioning program with cuts of a few
// rows (rank_one_cuts.hpp), solved by branch and bound on the number of routes
// and on pairs of rows that are in one route or not (Ryan and Foster). A node whose bound leaves a small gap is closed by
// dynamic programming over sets (set_sharing.hpp), at the node's own duals: cuts make the gap small.
//
// Columns are handed to the solver as they are needed; what is too dear by its reduced cost at the root is dropped.
#include "rest.hpp"
#include "work.hpp"

namespace cax::oracle {

struct PoolAnswer {
    bool complete = false; ///< nothing is below the limit but what was found
    double bound = 0;      ///< nothing in the pool is shorter than this
    std::optional<std::vector<std::size_t>> chosen; ///< below the limit: indices into the pool
    double length = 0;
};

struct PoolTask {
    std::size_t rows = 0;
    std::optional<std::size_t> vehicles; ///< routes at most
    double limit = 0;                    ///< only what is shorter is of interest
    std::vector<std::size_t> order;      ///< of the rows: those near each other follow each other
    std::vector<double> prices;          ///< of the rows, at which no route has a negative reduced cost
    std::vector<CustomerSet> begin_with; ///< sets of routes that are probably needed
    std::size_t sets = 300'000;          ///< that dynamic programming may look at, for each node
};

/// Error if the solver breaks down. Sets of the pool are all different.
[[nodiscard]] Result<PoolAnswer> search_pool(std::vector<Column> const& pool, PoolTask const& task, Work& work);

} // namespace cax::oracle
