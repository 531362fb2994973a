#pragma once
// All routes whose reduced cost is at most a gap: no better solution has any other route. Of several orders of the same
// customers only the shortest is kept.
//
// Routes grow from the depot and from the start, one customer per level. A beginning is kept only if one of the exact
// backward labels ends it within the gap, so hardly anything is looked at that does not become a route.
#include "backward_labels.hpp"

namespace cax::oracle {

/// Nothing if the work ran out or there are too many. Precondition: exact labels at these prices.
[[nodiscard]] std::optional<std::vector<Column>> enumerate_routes(Rest const& rest, Prices const& prices,
                                                                  BackwardLabels const& labels, double gap,
                                                                  std::size_t most_routes, Work& work);

} // namespace cax::oracle
