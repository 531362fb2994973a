#include "cax/problems/pctsp/instance.hpp"

#include "../routing/distances.hpp"
#include "../routing/tour/tour.hpp"
#include "fields.hpp"
#include "state.hpp"

#include <fmt/format.h>

namespace cax::pctsp {

std::string Instance::description() const {
    return fmt::format("{} customers, a prize of {} to be collected", customers(), prize_required);
}

StatePtr Instance::reset(StateOptions const&) const { return State::first(*this); }

routing::TourData Instance::tour() const {
    routing::TourData tour{.families = {.spatial = spatial, .prize = prize},
                           .distance = routing::exact_distances(data_.locs),
                           .penalty = {data_.penalty.begin(), data_.penalty.end()},
                           .prize = {0},
                           .prize_wanted = prize_required};
    tour.prize.insert(tour.prize.end(), data_.prize.begin(), data_.prize.end());
    return tour;
}

} // namespace cax::pctsp
