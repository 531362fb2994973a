#include "cax/problems/cvrptw/instance.hpp"

#include "fields.hpp"
#include "state.hpp"

#include <fmt/format.h>

namespace cax::cvrptw {

std::string Instance::description() const {
    return fmt::format("{} customers, vehicle capacity {}, depot open until {}", customers(), data_.capacity,
                       data_.time_windows[0].close);
}

StatePtr Instance::reset(StateOptions const&) const { return State::first(*this); }

routing::FleetFamilies Instance::families() const { return {capacity, time_window, spatial}; }

} // namespace cax::cvrptw
