#include "state.hpp"

#include "../routing/distances.hpp"
#include "fields.hpp"

#include <cassert>
#include <limits>

namespace cax::op {

void State::drive(std::size_t action) {
    tour_length_ += distances()[action];
    total_prize_ += data().prize[action];
    exact_prize_ += double{data().prize[action]};
}

void State::allow(ActionMask& mask) const {
    bool const returned = visited()[0] != 0;
    auto const limits = instance().arrival_limits();
    for (std::size_t i = 1; i < mask.size(); ++i) {
        mask[i] = !returned && visited()[i] == 0 && !(tour_length_ + distances()[i] > limits[i]);
    }
    mask[0] = 1;
}

double State::cost() const {
    assert(done());
    return exact_prize_;
}

void State::add_tensors(NamedTensors& tensors) const {
    tensors["tour_length"] = routing::float_tensor({}, tour_length_);
    tensors["current_total_prize"] = routing::float_tensor({}, total_prize_);
    tensors["i"] = routing::int_tensor({}, steps());
}

std::vector<Slack> State::slacks(std::size_t action) const {
    assert(action < data().locs.size());
    double const arrival = double{tour_length_} + double{distances()[action]};
    double const length = arrival + double{routing::float_distance(data().locs[action], data().locs[0])};
    double const limit = data().max_length;
    return {{budget, "length of the tour with the way home", length, limit, limit - length}};
}

std::vector<routing::StateScalar> State::scalars() const {
    constexpr double any = std::numeric_limits<double>::infinity();
    return {{"tour_length", budget, double{tour_length_}, -any, any}};
}

} // namespace cax::op
