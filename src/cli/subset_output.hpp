#pragma once
// What `cax subset` shows: a table and sentences for people, fields of the result file for machines.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/subset_score.hpp"

#include <string>
#include <vector>

namespace cax::cli {

struct OrderedSubsets {
    std::string order;
    std::vector<Subset> subsets; ///< one per cell
    SubsetScore score;
};

/// Decisions of the first order, then all orders side by side if there are several.
[[nodiscard]] std::string subset_text(ProblemInfo const& problem, std::vector<Cell> const& cells,
                                      std::vector<OrderedSubsets> const& results, SubsetOptions const& options,
                                      SubsetRule const& rule, double seconds);

/// Adds `cells` and `score` of the first order, and `orderings` with those of every order.
void add_subsets(Json& json, std::vector<Cell> const& cells, std::vector<OrderedSubsets> const& results);

} // namespace cax::cli
