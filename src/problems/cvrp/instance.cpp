#include "cax/problems/cvrp/instance.hpp"

#include "fields.hpp"
#include "state.hpp"

#include <fmt/format.h>

namespace cax::cvrp {

std::string Instance::description() const {
    return fmt::format("{} customers, vehicle capacity {}", customers(), data_.capacity);
}

StatePtr Instance::reset(StateOptions const&) const { return State::first(*this); }

routing::FleetData Instance::fleet() const {
    // No route is longer than going to each customer and back.
    double day = 1;
    for (Point const& place : data_.locs) day += 4 * routing::exact_distance(data_.locs[0], place);
    return {.capacity = data_.capacity,
            .locs = data_.locs,
            .demand = data_.demand,
            .time_windows = std::vector(nodes(), routing::Window{0, static_cast<float>(day)}),
            .durations = std::vector<float>(nodes(), 0)};
}

routing::FleetFamilies Instance::families() const { return {capacity, no_family, spatial}; }

} // namespace cax::cvrp
