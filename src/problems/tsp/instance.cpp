#include "cax/problems/tsp/instance.hpp"

#include "../routing/distances.hpp"
#include "../routing/tour/tour.hpp"
#include "fields.hpp"
#include "state.hpp"

#include <fmt/format.h>

namespace cax::tsp {

std::string Instance::description() const { return fmt::format("{} cities", nodes()); }

StatePtr Instance::reset(StateOptions const&) const { return State::first(*this); }

routing::TourData Instance::tour() const {
    return {.families = {.spatial = spatial}, .distance = routing::exact_distances(data_.locs)};
}

} // namespace cax::tsp
