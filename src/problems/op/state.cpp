#include "state.hpp"

#include "constraints.hpp"
#include "features.hpp"

#include <cassert>

namespace cax::op {

State::State(std::shared_ptr<Instance const> instance)
    : instance_(std::move(instance)),
      visited_(instance_->nodes(), 0),
      distances_(instance_->nodes()),
      mask_(instance_->nodes(), 0) {
    instance_->distances_from(0, distances_);
    update_mask();
}

void State::update_mask() {
    auto const limits = instance_->arrival_limits();
    bool const returned = visited_[0] != 0;
    for (std::size_t i = 1; i < mask_.size(); ++i) {
        mask_[i] = !returned && visited_[i] == 0 && !(tour_length_ + distances_[i] > limits[i]);
    }
    mask_[0] = 1;
}

void State::step(std::size_t action) {
    assert(action < mask_.size());
    float const prize_here = instance_->data().prize[action];
    tour_length_ += distances_[action];
    total_prize_ += prize_here;
    exact_prize_ += double{prize_here};
    visited_[action] = 1;
    current_node_ = action;
    last_action_ = action;
    done_ = done_ || (action == 0 && steps_ > 0);
    ++steps_;
    instance_->distances_from(current_node_, distances_);
    update_mask();
}

double State::cost() const {
    assert(done_);
    return exact_prize_;
}

NamedTensors State::tensors() const {
    Data const& data = instance_->data();
    std::size_t const n = instance_->nodes();
    std::vector<float> locs;
    for (Point const& point : data.locs) locs.insert(locs.end(), {point.x, point.y});
    auto const scalar = [](float value) { return Tensor::from_floats({}, {&value, 1}); };
    auto const integer = [](Shape shape, std::size_t value) {
        auto const number = static_cast<std::int64_t>(value);
        return Tensor::from_ints(Dtype::i64, std::move(shape), {&number, 1});
    };
    auto const flag = [](Shape shape, bool value) {
        std::uint8_t const byte = value ? 1 : 0;
        return Tensor::from_bools(std::move(shape), {&byte, 1});
    };

    NamedTensors tensors;
    tensors["locs"] = Tensor::from_floats({n, 2}, locs);
    tensors["depot"] = Tensor::from_floats({2}, std::span(locs).first(2));
    tensors["prize"] = Tensor::from_floats({n}, data.prize);
    tensors["max_length"] = Tensor::from_floats({n}, instance_->arrival_limits());
    tensors["tour_length"] = scalar(tour_length_);
    tensors["current_total_prize"] = scalar(total_prize_);
    tensors["current_node"] = integer({1}, current_node_);
    tensors["visited"] = Tensor::from_bools({n}, visited_);
    tensors["i"] = integer({}, steps_);
    tensors["action_mask"] = Tensor::from_bools({n}, mask_);
    tensors["done"] = flag({1}, done_);
    tensors["terminated"] = flag({1}, false); // rl4co never sets it
    if (steps_ > 0) {
        tensors["action"] = integer({}, last_action_);
        tensors["reward"] = flag({}, false); // rl4co writes false here; it is not the reward
    }
    return tensors;
}

Features State::features() const { return features_of(*instance_); }
Observation State::observe(Features const& features) const { return observe_state(*this, features); }
Observation State::observe_for_decoding() const { return observe_vehicle(*this); }
Features State::pull_back(Observation const& gradient) const { return pull_back_gradient(*instance_, gradient); }
std::optional<std::string> State::envelope_violation(Features const& features, Envelope) const {
    return op::envelope_violation(features);
}
std::vector<Slack> State::slacks(std::size_t action) const { return slacks_of(*this, action); }
std::string State::describe_action(std::size_t action) const { return describe(*this, action); }

} // namespace cax::op
