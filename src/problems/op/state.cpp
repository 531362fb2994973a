#include "state.hpp"

#include "../routing/distances.hpp"
#include "fields.hpp"

#include <cassert>
#include <limits>

namespace cax::op {

State::State(std::shared_ptr<Instance const> instance)
    : routing::State(instance), data_(instance->data()), limits_(instance->arrival_limits()) {
    look_around();
}

void State::drive(std::size_t action) {
    tour_length_ += distances()[action];
    total_prize_ += data_.prize[action];
    exact_prize_ += double{data_.prize[action]};
}

void State::allow(ActionMask& mask) const {
    bool const returned = visited()[0] != 0;
    for (std::size_t i = 1; i < mask.size(); ++i) {
        mask[i] = !returned && visited()[i] == 0 && !(tour_length_ + distances()[i] > limits_[i]);
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
    assert(action < data_.locs.size());
    double const arrival = double{tour_length_} + double{distances()[action]};
    double const length = arrival + double{routing::float_distance(data_.locs[action], data_.locs[0])};
    double const limit = data_.max_length;
    return {{budget, "length of the tour with the way home", length, limit, limit - length}};
}

std::vector<routing::StateScalar> State::scalars() const {
    constexpr double any = std::numeric_limits<double>::infinity();
    return {{"tour_length", budget, double{tour_length_}, -any, any}};
}

std::unique_ptr<table::State> State::resumed(std::shared_ptr<table::Instance const> const& instance,
                                             std::span<double const> scalars) const {
    auto state = std::make_unique<State>(std::static_pointer_cast<Instance const>(instance));
    state->tour_length_ = static_cast<float>(scalars[0]);
    state->total_prize_ = total_prize_;
    state->exact_prize_ = exact_prize_;
    state->resume(*this);
    return state;
}

} // namespace cax::op
