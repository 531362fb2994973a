#include "constraints.hpp"

#include "families.hpp"
#include "features.hpp"

#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax::cvrptw {

std::vector<Slack> slacks_of(State const& state, std::size_t action) {
    Data const& data = state.instance().data();
    assert(action < data.locs.size());
    std::vector<Slack> slacks;
    if (action != 0) {
        double const limit = data.capacity;
        double const load = (double{state.used_capacity()} + double{data.demand[action - 1]}) * limit;
        slacks.push_back({capacity, "load on arrival", load, limit, limit - load});
    }
    double const arrival = double{state.current_time()} + double{state.distances()[action]};
    double const close = data.time_windows[action].close;
    slacks.push_back({time_window, action == 0 ? "return before the depot closes" : "arrival before the window closes",
                      arrival, close, close - arrival});
    return slacks;
}

std::string describe(State const& state, std::size_t action) {
    if (action != 0) return fmt::format("visit customer {}", action);
    return state.current_node() == 0 ? "stay at the depot" : "return to the depot";
}

std::optional<std::string> envelope_violation(Features const& features) {
    auto const& locs = features[feature_locs].values;
    auto const& demand = features[feature_demand].values;
    auto const& windows = features[feature_time_windows].values;
    auto const& durations = features[feature_durations].values;
    // Comparisons are written so that a NaN fails them.
    for (std::size_t i = 0; i < locs.size(); ++i) {
        if (!std::isfinite(locs[i])) return fmt::format("node {}: coordinate is {}", i / 2, locs[i]);
    }
    double total = 0;
    for (std::size_t i = 0; i < demand.size(); ++i) {
        if (!(demand[i] >= 0)) return fmt::format("customer {}: demand is negative ({})", i + 1, demand[i]);
        total += demand[i];
    }
    for (std::size_t i = 0; 2 * i < windows.size(); ++i) {
        if (!(windows[2 * i] <= windows[2 * i + 1])) {
            return fmt::format("node {}: window closes ({}) before it opens ({})", i, windows[2 * i + 1],
                               windows[2 * i]);
        }
    }
    for (std::size_t i = 0; i < durations.size(); ++i) {
        if (!(durations[i] >= 0)) return fmt::format("node {}: service time is negative ({})", i, durations[i]);
    }
    // One vehicle per customer is the largest fleet that makes sense, and each has capacity 1.
    if (!(total <= static_cast<double>(demand.size()))) {
        return fmt::format("total demand is {} vehicle loads for {} customers", total, demand.size());
    }
    return std::nullopt;
}

} // namespace cax::cvrptw
