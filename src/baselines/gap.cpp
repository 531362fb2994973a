#include "cax/baselines/gap.hpp"

#include "cax/core/same_cost.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax {

Result<double> optimality_gap(Objective objective, double cost, double best_known) {
    if (same_cost(cost, best_known)) return 0.0;
    double const worse_by = objective == Objective::minimise ? cost - best_known : best_known - cost;
    if (best_known == 0) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("the best known cost is 0: a cost of {} has no gap to it", cost)};
    }
    return worse_by / std::fabs(best_known);
}

GapSummary summarise_gaps(std::span<double const> gaps) {
    assert(!gaps.empty());
    auto const count = static_cast<double>(gaps.size());
    GapSummary summary;
    for (double const gap : gaps) summary.mean += gap / count;
    for (double const gap : gaps) summary.deviation += (gap - summary.mean) * (gap - summary.mean);
    summary.deviation = gaps.size() > 1 ? std::sqrt(summary.deviation / (count - 1)) : 0;
    summary.largest = *std::ranges::max_element(gaps);
    return summary;
}

} // namespace cax
