#include "state.hpp"

#include "fields.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace cax::cvrptw {

void State::drive(std::size_t action) {
    if (action == 0) {
        current_time_ = 0; // a fresh vehicle
        used_capacity_ = 0;
        return;
    }
    float const arrival = current_time_ + distances()[action];
    current_time_ = std::max(arrival, data().time_windows[action].open) + data().durations[action];
    used_capacity_ += data().demand[action - 1];
}

ActionNumbers State::numbers(std::size_t action) const {
    ActionNumbers numbers = routing::State::numbers(action);
    double const arrival = double{current_time_} + double{distances()[action]};
    numbers.start = action == 0 ? arrival : std::max(arrival, double{data().time_windows[action].open});
    numbers.end = *numbers.start + (action == 0 ? 0 : double{data().durations[action]});
    return numbers;
}

void State::allow(ActionMask& mask) const {
    routing::allow_loads(mask, visited(), data().demand, used_capacity_, current_node());
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (!(current_time_ + distances()[i] <= data().time_windows[i].close)) mask[i] = 0;
    }
}

std::vector<double> State::context() const {
    // In double the difference is exact; rounded to float32 it is what float32 arithmetic would have given.
    return {1.0 - double{used_capacity_}, double{current_time_}};
}

void State::add_tensors(NamedTensors& tensors) const {
    Point const here = data().locs[current_node()];
    tensors["visited"] = routing::byte_tensor(visited());
    tensors["current_time"] = routing::float_tensor({1}, current_time_);
    tensors["used_capacity"] = routing::float_tensor({1}, used_capacity_);
    tensors["vehicle_capacity"] = routing::float_tensor({1}, 1);
    tensors["current_loc"] = Tensor::from_floats({2}, std::array{here.x, here.y});
    tensors["distances"] = Tensor::from_floats({distances().size()}, distances());
}

std::vector<Slack> State::slacks(std::size_t action) const {
    assert(action < data().locs.size());
    std::vector<Slack> slacks;
    if (action != 0) {
        double const limit = data().capacity;
        double const load = (double{used_capacity_} + double{data().demand[action - 1]}) * limit;
        slacks.push_back({capacity, "load on arrival", load, limit, limit - load});
    }
    double const arrival = double{current_time_} + double{distances()[action]};
    double const close = data().time_windows[action].close;
    slacks.push_back({time_window, action == 0 ? "return before the depot closes" : "arrival before the window closes",
                      arrival, close, close - arrival});
    return slacks;
}

std::vector<routing::StateScalar> State::scalars() const {
    bool const on_the_way = current_node() != 0;
    return {
        {"used_capacity", capacity, double{used_capacity_}, 0, 1, on_the_way},
        {"current_time", time_window, double{current_time_}, 0, std::numeric_limits<double>::infinity(), on_the_way}};
}

} // namespace cax::cvrptw
