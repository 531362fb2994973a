// Changed instances: what a counterfactual asks about, and the words for it.
#include "cax/problems/cvrptw/instance.hpp"
#include "features.hpp"

#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax::cvrptw {
namespace {

float moved(float value, double by) { return static_cast<float>(double{value} + by); }

bool is_whole(Window const& window) {
    return window.open == std::trunc(window.open) && window.close == std::trunc(window.close);
}

std::string changed_node(std::size_t node) { return node == 0 ? "depot" : fmt::format("customer {}", node); }

} // namespace

Result<InstancePtr> Instance::changed(Features const& change, ChangeKind) const {
    assert(change.size() == 4);
    auto const& locs = change[feature_locs].values;
    auto const& demand = change[feature_demand].values;
    auto const& windows = change[feature_time_windows].values;
    auto const& durations = change[feature_durations].values;
    assert(locs.size() == 2 * nodes() && demand.size() == customers() && windows.size() == 2 * nodes() &&
           durations.size() == nodes());
    Data data = data_;
    for (std::size_t i = 0; i < nodes(); ++i) {
        data.locs[i] = {moved(data.locs[i].x, locs[2 * i]), moved(data.locs[i].y, locs[2 * i + 1])};
        Window& window = data.time_windows[i];
        window = {moved(window.open, windows[2 * i]), moved(window.close, windows[2 * i + 1])};
        data.integral_windows = data.integral_windows && is_whole(window);
        data.durations[i] = moved(data.durations[i], durations[i]);
        if (i > 0) data.demand[i - 1] = moved(data.demand[i - 1], demand[i - 1]);
    }
    auto instance = make(std::move(data));
    if (!instance) return instance.error();
    return InstancePtr(*std::move(instance));
}

std::vector<std::vector<std::uint8_t>> Instance::adjustable(ChangeKind) const {
    auto const all = [](std::size_t count) { return std::vector<std::uint8_t>(count, 1); };
    std::vector<std::vector<std::uint8_t>> entries(4);
    entries[feature_locs] = all(2 * nodes());
    entries[feature_demand] = all(customers());
    entries[feature_time_windows] = all(2 * nodes());
    entries[feature_durations] = all(nodes());
    return entries;
}

TensorUnits Instance::units(std::size_t tensor) const {
    double const capacity = data_.capacity;
    switch (tensor) {
    case feature_demand: return {.scale = capacity, .grain = capacity > 1 ? 1 / capacity : 0.01, .unit = "load"};
    case feature_time_windows: return {.grain = 1, .whole_numbers = data_.integral_windows, .unit = "time"};
    case feature_durations: return {.grain = 1, .unit = "time"};
    default: return {.grain = 1, .unit = "distance"};
    }
}

std::string Instance::describe_entry(std::size_t tensor, std::size_t index) const {
    switch (tensor) {
    case feature_demand: return fmt::format("{}: demand", changed_node(index + 1));
    case feature_time_windows:
        return fmt::format("{}: {} {}", changed_node(index / 2), index < 2 ? "day" : "window",
                           index % 2 == 0 ? "opens" : "closes");
    case feature_durations: return fmt::format("{}: service time", changed_node(index));
    default: return fmt::format("{}: {} coordinate", changed_node(index / 2), index % 2 == 0 ? "x" : "y");
    }
}

} // namespace cax::cvrptw
