#include "state.hpp"

#include "fields.hpp"

#include <cassert>

namespace cax::knapsack {
namespace {

/// The mask forgives what the rounding of shares to float32 makes of a knapsack that is exactly full.
constexpr float full = 1.0F + static_cast<float>(share_tolerance);

Slack share_of(std::size_t family, std::string rule, float used, float item, float there_is) {
    double const limit = there_is;
    double const taken = (double{used} + double{item}) * limit;
    return {.family = family, .rule = std::move(rule), .used = taken, .limit = limit, .slack = limit - taken};
}

} // namespace

State::State(std::shared_ptr<Instance const> const& instance) : table::State(instance), data_(instance->data()) {
    look_around();
}

void State::take(std::size_t action) {
    if (done()) return;
    used_weight_ += data_.weights[action];
    used_volume_ += data_.volumes[action];
    packed_value_ += double{data_.values[action]};
}

bool State::fits(std::size_t item) const {
    bool const heavy = used_weight_ + data_.weights[item] > full, bulky = used_volume_ + data_.volumes[item] > full;
    return visited()[item] == 0 && !heavy && !bulky;
}

void State::allow(ActionMask& mask) const {
    for (std::size_t item = 0; item < mask.size(); ++item) mask[item] = fits(item);
}

bool State::ends(std::size_t) const {
    for (std::size_t item = 0; item < visited().size(); ++item) {
        if (fits(item)) return false;
    }
    return true;
}

double State::cost() const {
    assert(done());
    return packed_value_;
}

std::vector<double> State::context() const { return {double{1.0F - used_weight_}, double{1.0F - used_volume_}}; }

void State::add_tensors(NamedTensors& tensors) const {
    tensors["used_weight"] = table::float_tensor({1}, used_weight_);
    tensors["used_volume"] = table::float_tensor({1}, used_volume_);
}

std::vector<Slack> State::slacks(std::size_t action) const {
    if (visited()[action] != 0) {
        return {{.family = value, .rule = "the item is packed already", .used = 1, .slack = -1, .by_nature = true}};
    }
    return {share_of(weight, "weight with the item", used_weight_, data_.weights[action], data_.max_weight),
            share_of(volume, "volume with the item", used_volume_, data_.volumes[action], data_.max_volume)};
}

std::vector<table::StateScalar> State::scalars() const {
    return {{"used_weight", weight, double{used_weight_}, 0, 1, steps() > 0},
            {"used_volume", volume, double{used_volume_}, 0, 1, steps() > 0}};
}

std::unique_ptr<table::State> State::resumed(std::shared_ptr<table::Instance const> const& instance,
                                             std::span<double const> scalars) const {
    auto state = std::make_unique<State>(std::static_pointer_cast<Instance const>(instance));
    state->used_weight_ = static_cast<float>(scalars[0]);
    state->used_volume_ = static_cast<float>(scalars[1]);
    state->packed_value_ = packed_value_;
    state->resume(*this);
    return state;
}

} // namespace cax::knapsack
