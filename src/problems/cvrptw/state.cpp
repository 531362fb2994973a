#include "state.hpp"

#include "constraints.hpp"
#include "features.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax::cvrptw {
namespace {

constexpr float rl4co_capacity = 1.0F;
/// rl4co's allowance for demands that were rounded to float32.
constexpr float capacity_tolerance = 1e-5F;

double exact_distance(Point a, Point b) { return std::hypot(double{a.x} - double{b.x}, double{a.y} - double{b.y}); }

} // namespace

State::State(std::shared_ptr<Instance const> instance)
    : instance_(std::move(instance)),
      visited_(instance_->nodes(), 0),
      distances_(instance_->nodes()),
      mask_(instance_->nodes(), 0) {
    instance_->distances_from(0, distances_);
    update_mask();
}

void State::update_mask() {
    Data const& data = instance_->data();
    float const limit = rl4co_capacity + capacity_tolerance;
    bool customer_left = false;
    for (std::size_t i = 1; i < mask_.size(); ++i) {
        mask_[i] = visited_[i] == 0 && !(data.demand[i - 1] + used_capacity_ > limit);
        customer_left = customer_left || mask_[i] != 0;
    }
    // The depot is closed to a vehicle that has not left it, as long as it could load something.
    mask_[0] = !(current_node_ == 0 && customer_left);
    for (std::size_t i = 0; i < mask_.size(); ++i) {
        if (!(current_time_ + distances_[i] <= data.time_windows[i].close)) mask_[i] = 0;
    }
}

void State::step(std::size_t action) {
    assert(action < mask_.size());
    Data const& data = instance_->data();
    length_ += exact_distance(data.locs[current_node_], data.locs[action]);
    if (action == 0) {
        current_time_ = 0; // a fresh vehicle
        used_capacity_ = 0;
    } else {
        float const arrival = current_time_ + distances_[action];
        current_time_ = std::max(arrival, data.time_windows[action].open) + data.durations[action];
        used_capacity_ += data.demand[action - 1];
    }
    visited_[action] = 1;
    current_node_ = action;
    last_action_ = action;
    done_ = std::ranges::all_of(visited_, [](std::uint8_t flag) { return flag != 0; });
    instance_->distances_from(current_node_, distances_);
    update_mask();
}

double State::cost() const {
    assert(done_);
    Data const& data = instance_->data();
    return length_ + exact_distance(data.locs[current_node_], data.locs[0]);
}

NamedTensors State::tensors() const {
    Data const& data = instance_->data();
    std::size_t const n = instance_->nodes();
    std::vector<float> locs;
    std::vector<double> windows;
    for (std::size_t i = 0; i < n; ++i) {
        locs.insert(locs.end(), {data.locs[i].x, data.locs[i].y});
        windows.insert(windows.end(), {data.time_windows[i].open, data.time_windows[i].close});
    }
    auto const scalar = [](Shape shape, float value) { return Tensor::from_floats(std::move(shape), {&value, 1}); };
    auto const integer = [](Shape shape, std::size_t value) {
        auto const number = static_cast<std::int64_t>(value);
        return Tensor::from_ints(Dtype::i64, std::move(shape), {&number, 1});
    };
    auto const flag = [](Shape shape, bool value) {
        std::uint8_t const byte = value ? 1 : 0;
        return Tensor::from_bools(std::move(shape), {&byte, 1});
    };
    auto const point = [](Point p) { return Tensor::from_floats({2}, std::array{p.x, p.y}); };
    std::vector<double> const visited(visited_.begin(), visited_.end());

    NamedTensors tensors;
    tensors["locs"] = Tensor::from_floats({n, 2}, locs);
    tensors["depot"] = point(data.locs[0]);
    tensors["demand"] = Tensor::from_floats({n - 1}, data.demand);
    tensors["capacity"] = scalar({1}, data.capacity);
    tensors["durations"] = Tensor::from_floats({n}, data.durations);
    tensors["time_windows"] = Tensor::from_doubles(data.integral_windows ? Dtype::i32 : Dtype::f32, {n, 2}, windows);
    tensors["current_node"] = integer({1}, current_node_);
    tensors["current_time"] = scalar({1}, current_time_);
    tensors["used_capacity"] = scalar({1}, used_capacity_);
    tensors["vehicle_capacity"] = scalar({1}, rl4co_capacity);
    tensors["visited"] = Tensor::from_doubles(Dtype::u8, {n}, visited);
    tensors["current_loc"] = point(data.locs[current_node_]);
    tensors["distances"] = Tensor::from_floats({n}, distances_);
    tensors["action_mask"] = Tensor::from_bools({n}, mask_);
    tensors["done"] = flag({1}, done_);
    tensors["terminated"] = flag({1}, false); // rl4co never sets it
    if (last_action_) {
        tensors["action"] = integer({}, *last_action_);
        tensors["reward"] = flag({}, false); // rl4co writes false here; it is not the reward
    }
    return tensors;
}

Features State::features() const { return features_of(*instance_); }
Observation State::observe(Features const& features) const { return observe_state(*this, features); }
Observation State::observe_for_decoding() const { return observe_vehicle(*this); }
Features State::pull_back(Observation const& gradient) const { return pull_back_gradient(*instance_, gradient); }
std::optional<std::string> State::envelope_violation(Features const& features, Envelope) const {
    return cvrptw::envelope_violation(features);
}
std::vector<Slack> State::slacks(std::size_t action) const { return slacks_of(*this, action); }
std::string State::describe_action(std::size_t action) const { return describe(*this, action); }

} // namespace cax::cvrptw
