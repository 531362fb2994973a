#include "state.hpp"

#include "fields.hpp"

#include <algorithm>
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
    : StateOf(std::move(instance)), total_penalty_(sum_in_lanes(std::span(data().penalty).subspan(1))) {}

void State::drive(std::size_t action) {
    total_prize_ += prize_at(action);
    total_penalty_ += data().penalty[action];
    spared_ += double{data().penalty[action]};
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
    double const all = std::accumulate(data().penalty.begin(), data().penalty.end(), 0.0);
    return exact_length() + (all - spared_);
}

std::vector<double> State::context() const { return {std::max(0.0, double{prize_required} - double{total_prize_})}; }

std::vector<double> State::pull_back_constant(std::string_view name, Observation const& gradient) const {
    if (name != "prize_required") return {};
    bool const reaches = prize_required > total_prize_;
    return {reaches ? std::get<GraphObservation>(gradient).context[0] : 0.0};
}

void State::add_tensors(NamedTensors& tensors) const {
    std::vector<float> real_prize{0};
    real_prize.insert(real_prize.end(), data().prize.begin(), data().prize.end());
    tensors["real_prize"] = Tensor::from_floats({real_prize.size()}, real_prize);
    tensors["deterministic_prize"] = Tensor::from_floats({data().prize.size()}, data().prize);
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

} // namespace cax::pctsp
