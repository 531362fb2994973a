#include "state.hpp"

#include "fields.hpp"

namespace cax::cvrp {

void State::drive(std::size_t action) {
    used_capacity_ = action == 0 ? 0.0F : used_capacity_ + data().demand[action - 1];
}

void State::allow(ActionMask& mask) const {
    routing::allow_loads(mask, visited(), data().demand, used_capacity_, current_node());
}

void State::add_tensors(NamedTensors& tensors) const {
    tensors["visited"] = routing::byte_tensor(visited());
    tensors["used_capacity"] = routing::float_tensor({1}, used_capacity_);
    tensors["vehicle_capacity"] = routing::float_tensor({1}, 1);
}

std::vector<Slack> State::slacks(std::size_t action) const {
    if (action == 0) return {};
    double const limit = data().capacity;
    double const load = (double{used_capacity_} + double{data().demand[action - 1]}) * limit;
    return {{capacity, "load on arrival", load, limit, limit - load}};
}

std::vector<routing::StateScalar> State::scalars() const {
    return {{"used_capacity", capacity, double{used_capacity_}, 0, 1, current_node() != 0}};
}

} // namespace cax::cvrp
