#include "state.hpp"

#include <algorithm>
#include <cassert>

namespace cax::tsp {

State::State(std::shared_ptr<Instance const> instance) : routing::State(instance), data_(instance->data()) {
    look_around();
}

void State::drive(std::size_t action) {
    if (done()) return;
    if (steps() > 0) length_ += routing::exact_distance(data_.locs[last_city_], data_.locs[action]);
    last_city_ = action;
}

bool State::ends(std::size_t) const {
    return std::ranges::all_of(visited(), [](std::uint8_t flag) { return flag != 0; });
}

void State::allow(ActionMask& mask) const {
    for (std::size_t city = 0; city < mask.size(); ++city) mask[city] = visited()[city] == 0;
}

double State::cost() const {
    assert(done());
    return length_ + routing::exact_distance(data_.locs[last_city_], data_.locs[first_action()]);
}

void State::add_tensors(NamedTensors& tensors) const {
    tensors.erase("visited"); // the mask says it
    tensors["current_node"] = routing::int_tensor({}, current_node());
    tensors["first_node"] = routing::int_tensor({}, first_action());
    tensors["i"] = routing::int_tensor({1}, steps());
    if (steps() == 0) tensors["reward"] = routing::float_tensor({1}, 0);
}

std::unique_ptr<table::State> State::resumed(std::shared_ptr<table::Instance const> const& instance,
                                             std::span<double const>) const {
    auto state = std::make_unique<State>(std::static_pointer_cast<Instance const>(instance));
    state->length_ = length_;
    state->last_city_ = last_city_;
    state->resume(*this);
    return state;
}

} // namespace cax::tsp
