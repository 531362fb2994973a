#include "state.hpp"

#include "fields.hpp"

#include <algorithm>
#include <cassert>

namespace cax::cvrp {

State::State(std::shared_ptr<Instance const> instance) : routing::State(instance), data_(instance->data()) {
    look_around();
}

void State::drive(std::size_t action) {
    length_ += routing::exact_distance(data_.locs[current_node()], data_.locs[action]);
    used_capacity_ = action == 0 ? 0.0F : used_capacity_ + data_.demand[action - 1];
}

bool State::ends(std::size_t) const {
    return std::ranges::all_of(visited(), [](std::uint8_t flag) { return flag != 0; });
}

void State::allow(ActionMask& mask) const {
    routing::allow_loads(mask, visited(), data_.demand, used_capacity_, current_node());
}

double State::cost() const {
    assert(done());
    return length_ + routing::exact_distance(data_.locs[current_node()], data_.locs[0]);
}

void State::add_tensors(NamedTensors& tensors) const {
    tensors["visited"] = routing::byte_tensor(visited());
    tensors["used_capacity"] = routing::float_tensor({1}, used_capacity_);
    tensors["vehicle_capacity"] = routing::float_tensor({1}, 1);
}

std::vector<Slack> State::slacks(std::size_t action) const {
    if (action == 0) return {};
    double const limit = data_.capacity;
    double const load = (double{used_capacity_} + double{data_.demand[action - 1]}) * limit;
    return {{capacity, "load on arrival", load, limit, limit - load}};
}

std::vector<routing::StateScalar> State::scalars() const {
    return {{"used_capacity", capacity, double{used_capacity_}, 0, 1, current_node() != 0}};
}

std::unique_ptr<table::State> State::resumed(std::shared_ptr<table::Instance const> const& instance,
                                             std::span<double const> scalars) const {
    auto state = std::make_unique<State>(std::static_pointer_cast<Instance const>(instance));
    state->used_capacity_ = static_cast<float>(scalars[0]);
    state->length_ = length_;
    state->resume(*this);
    return state;
}

} // namespace cax::cvrp
