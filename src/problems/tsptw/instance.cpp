#include "cax/problems/tsptw/instance.hpp"

#include "../routing/distances.hpp"
#include "../routing/tour/tour.hpp"
#include "fields.hpp"
#include "state.hpp"

#include <fmt/format.h>

namespace cax::tsptw {

std::string Instance::description() const {
    return fmt::format("{} customers with time windows, and a depot", customers());
}

StatePtr Instance::reset(StateOptions const&) const { return State::first(*this); }

routing::TourData Instance::tour() const {
    routing::TourData tour{.families = {.spatial = spatial, .time_window = time_window},
                           .distance = routing::exact_distances(data_.locs)};
    for (auto const& [open, close] : data_.time_windows) {
        tour.open.push_back(open);
        tour.close.push_back(close);
    }
    return tour;
}

} // namespace cax::tsptw
