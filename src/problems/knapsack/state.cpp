#include "state.hpp"

#include "fields.hpp"

#include <algorithm>
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

void State::take(std::size_t action) {
    if (done()) return;
    used_weight_ += data().weights[action];
    used_volume_ += data().volumes[action];
    packed_value_ += double{data().values[action]};
}

bool State::fits(std::size_t item) const {
    bool const heavy = used_weight_ + data().weights[item] > full, bulky = used_volume_ + data().volumes[item] > full;
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

std::optional<double> State::left_of(std::size_t field) const {
    if (field != field_weights && field != field_volumes) return std::nullopt;
    // What still goes into a full knapsack takes no more than the tolerance.
    return std::max(double{1.0F - (field == field_weights ? used_weight_ : used_volume_)}, share_tolerance);
}

void State::add_tensors(NamedTensors& tensors) const {
    tensors["used_weight"] = table::float_tensor({1}, used_weight_);
    tensors["used_volume"] = table::float_tensor({1}, used_volume_);
}

std::vector<Slack> State::slacks(std::size_t action) const {
    if (visited()[action] != 0) {
        return {{.family = value, .rule = "the item is packed already", .used = 1, .slack = -1, .by_nature = true}};
    }
    return {share_of(weight, "weight with the item", used_weight_, data().weights[action], data().max_weight),
            share_of(volume, "volume with the item", used_volume_, data().volumes[action], data().max_volume)};
}

std::vector<table::StateScalar> State::scalars() const {
    return {{"used_weight", weight, double{used_weight_}, 0, 1, steps() > 0},
            {"used_volume", volume, double{used_volume_}, 0, 1, steps() > 0}};
}

} // namespace cax::knapsack
