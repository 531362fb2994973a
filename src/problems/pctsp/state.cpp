#include "state.hpp"

#include "fields.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace cax::pctsp {
namespace {

/// torch's sum of a row: eight columns side by side, in four groups where there are so many rows; what is left over
/// first, then column by column.
float sum_in_lanes(std::span<float const> values) {
    constexpr std::size_t lanes = 8, groups = 4;
    std::size_t const rows = values.size() / lanes;
    std::array<std::array<float, lanes>, groups> partial{};
    for (std::size_t r = 0; r < rows; ++r) {
        std::size_t const group = r < rows / groups * groups ? r % groups : 0;
        for (std::size_t k = 0; k < lanes; ++k) partial[group][k] += values[r * lanes + k];
    }
    float sum = 0;
    for (std::size_t i = rows * lanes; i < values.size(); ++i) sum += values[i];
    for (std::size_t k = 0; k < lanes; ++k) {
        for (std::size_t group = 1; group < groups; ++group) partial[0][k] += partial[group][k];
        sum += partial[0][k];
    }
    return sum;
}

} // namespace

State::State(std::shared_ptr<Instance const> instance)
    : routing::State(instance),
      data_(instance->data()),
      total_penalty_(sum_in_lanes(std::span(data_.penalty).subspan(1))) {
    look_around();
}

void State::drive(std::size_t action) {
    length_ += routing::exact_distance(data_.locs[current_node()], data_.locs[action]);
    total_prize_ += prize_at(action);
    total_penalty_ += data_.penalty[action];
    spared_ += double{data_.penalty[action]};
}

void State::allow(ActionMask& mask) const {
    bool const returned = visited()[0] != 0;
    bool somebody_left = false;
    for (std::size_t i = 1; i < mask.size(); ++i) {
        mask[i] = !returned && visited()[i] == 0;
        somebody_left = somebody_left || visited()[i] == 0;
    }
    mask[0] = !(total_prize_ < prize_required && somebody_left);
}

double State::cost() const {
    assert(done());
    double const all = std::accumulate(data_.penalty.begin(), data_.penalty.end(), 0.0);
    return length_ + (all - spared_);
}

std::vector<double> State::context() const { return {std::max(0.0, double{prize_required} - double{total_prize_})}; }

std::vector<double> State::pull_back_constant(std::string_view name, Observation const& gradient) const {
    if (name != "prize_required") return {};
    bool const reaches = prize_required > total_prize_;
    return {reaches ? std::get<GraphObservation>(gradient).context[0] : 0.0};
}

void State::add_tensors(NamedTensors& tensors) const {
    std::vector<float> real_prize{0};
    real_prize.insert(real_prize.end(), data_.prize.begin(), data_.prize.end());
    tensors["real_prize"] = Tensor::from_floats({real_prize.size()}, real_prize);
    tensors["deterministic_prize"] = Tensor::from_floats({data_.prize.size()}, data_.prize);
    tensors["prize_required"] = routing::float_tensor({}, prize_required);
    tensors["cur_total_prize"] = routing::float_tensor({}, total_prize_);
    tensors["cur_total_penalty"] = routing::float_tensor({}, total_penalty_);
    tensors["current_node"] = routing::int_tensor({}, current_node());
    tensors["i"] = routing::int_tensor({}, steps());
}

std::vector<Slack> State::slacks(std::size_t action) const {
    if (action != 0) return {};
    double const needed = prize_required, collected = total_prize_;
    return {{prize, "prize needed for the way home, of what is collected", needed, collected, collected - needed}};
}

std::vector<routing::StateScalar> State::scalars() const {
    return {{"cur_total_prize", prize, double{total_prize_}, 0, std::numeric_limits<double>::infinity(), steps() > 0}};
}

std::unique_ptr<table::State> State::resumed(std::shared_ptr<table::Instance const> const& instance,
                                             std::span<double const> scalars) const {
    auto state = std::make_unique<State>(std::static_pointer_cast<Instance const>(instance));
    state->total_prize_ = static_cast<float>(scalars[0]);
    state->total_penalty_ = total_penalty_;
    state->length_ = length_;
    state->spared_ = spared_;
    state->resume(*this);
    return state;
}

} // namespace cax::pctsp
