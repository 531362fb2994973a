// Is this a solution? From the definition, in double precision, sharing no code with the state.
#include "cax/problems/knapsack/instance.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::knapsack {

/// Lists everything that is wrong. The cost is the value of what is packed.
CheckReport Instance::check(Solution const& solution, DistanceRule) const {
    auto const* packing = std::get_if<Packing>(&solution);
    if (packing == nullptr) return {.violations = {"the solution is no packing"}};
    CheckReport report;
    std::vector<std::size_t> times(nodes(), 0);
    double weight = 0, volume = 0;
    for (std::size_t const item : packing->items) {
        if (item >= nodes()) {
            report.violations.push_back(fmt::format("there is no item {} (items are 0 to {})", item, nodes() - 1));
            continue;
        }
        if (++times[item] == 2) report.violations.push_back(fmt::format("item {} is packed twice", item));
        weight += double{data_.weights[item]};
        volume += double{data_.volumes[item]};
        report.cost += double{data_.values[item]};
    }
    auto const compare = [&](std::string_view what, double share, double there_is) {
        if (share <= 1 + share_tolerance) return;
        report.violations.push_back(fmt::format("{} {:.6g} is more than {:.6g}", what, share * there_is, there_is));
    };
    compare("weight", weight, data_.max_weight);
    compare("volume", volume, data_.max_volume);
    return report;
}

/// Does a packing answer the question? Shares nothing with the decision model.
CheckReport Instance::check_answer(Solution const& solution, Question const& question) const {
    CheckReport report = check(solution);
    auto const* packing = std::get_if<Packing>(&solution);
    if (packing == nullptr) return report;
    for (std::size_t const item : question.prefix) {
        if (std::ranges::find(packing->items, item) != packing->items.end()) continue;
        report.violations.push_back(fmt::format("item {} is not packed", item));
    }
    // Each value is rounded to 24 bits; what a person adds up in decimals may be that much more.
    if (question.bound && !(report.cost >= *question.bound - 1e-6 * *question.bound)) {
        report.violations.push_back(
            fmt::format("the packing is worth {:.9g}, less than {:.9g}", report.cost, *question.bound));
    }
    return report;
}

} // namespace cax::knapsack
