#include "beginning.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::cvrptw {

Result<Beginning> beginning_of(Instance const& instance, std::span<std::size_t const> actions) {
    Beginning begun;
    std::vector<bool> visited(instance.nodes(), false);
    for (std::size_t t = 0; t < actions.size(); ++t) {
        std::size_t const node = actions[t];
        auto const invalid = [&](std::string_view what) {
            return Error{ErrorCode::invalid_value, fmt::format("prefix[{}]: {} {}", t, what, node)};
        };
        if (node >= instance.nodes()) return invalid("there is no node");
        if (node == 0) {
            if (!begun.under_way.empty()) begun.finished.push_back(std::move(begun.under_way));
            begun.under_way.clear();
            continue;
        }
        if (visited[node]) return invalid("visits again customer");
        visited[node] = true;
        begun.under_way.push_back(node);
    }
    for (std::size_t customer = 1; customer < instance.nodes(); ++customer) {
        if (!visited[customer]) begun.left.push_back(customer);
    }
    return begun;
}

Vehicle drive(Data const& data, std::span<std::size_t const> customers) {
    auto const distance = [&](std::size_t a, std::size_t b) {
        return std::hypot(double{data.locs[a].x} - data.locs[b].x, double{data.locs[a].y} - data.locs[b].y);
    };
    Vehicle vehicle;
    for (std::size_t const customer : customers) {
        double const arrival = vehicle.time + distance(vehicle.node, customer);
        vehicle.lateness = std::max(vehicle.lateness, arrival - double{data.time_windows[customer].close});
        vehicle.time = std::max(arrival, double{data.time_windows[customer].open}) + double{data.durations[customer]};
        vehicle.load += double{data.demand[customer - 1]};
        vehicle.node = customer;
    }
    vehicle.overload = std::max(0.0, vehicle.load - 1);
    double const home = vehicle.time + distance(vehicle.node, 0);
    if (!customers.empty()) vehicle.lateness = std::max(vehicle.lateness, home - double{data.time_windows[0].close});
    return vehicle;
}

} // namespace cax::cvrptw
