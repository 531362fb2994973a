#include "state.hpp"

#include "problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax::routing {

void State::look_around() {
    instance().distances_from(current_node_, distances_);
    table::State::look_around();
}

void State::take(std::size_t action) {
    drive(action);
    if (!done()) {
        if (home()) length_ += leg(last_node_, action);
        last_node_ = action;
    }
    current_node_ = action;
}

std::optional<std::size_t> State::home() const {
    if (problem_of(instance()).look().nodes.depot) return 0;
    return steps() > 0 ? std::optional(first_action()) : std::nullopt;
}

bool State::is_open(std::size_t field, std::size_t node) const {
    if (field == 0 && (node == home() || node == current_node_)) return true;
    bool const depot = node == 0 && problem_of(instance()).look().nodes.depot;
    return !depot && table::State::is_open(field, node);
}

bool State::all_visited() const {
    return std::ranges::all_of(visited(), [](std::uint8_t flag) { return flag != 0; });
}

double State::leg(std::size_t from, std::size_t to) const {
    auto const places = instance().places();
    return problem_of(instance()).leg_rule()(exact_distance(places[from], places[to]), from, to);
}

double State::exact_length() const {
    assert(done());
    return length_ + leg(last_node_, *home());
}

ActionNumbers State::numbers(std::size_t action) const {
    ActionNumbers numbers;
    if (!home()) return numbers;
    double const back = leg(current_node_, *home());
    numbers.extra = action == home() ? back : leg(current_node_, action) + leg(action, *home()) - back;
    return numbers;
}

void State::show_place(GraphObservation& observation) const {
    observation.current_node = current_node_;
    observation.free_start = !problem_of(instance()).look().nodes.depot;
    if (observation.free_start && steps() > 0) observation.first_node = first_action();
    observation.lookahead = lookahead();
}

void State::add_place(NamedTensors& tensors) const {
    if (problem_of(instance()).first_row() > 0)
        tensors["depot"] = Tensor::from_floats({2}, std::span(instance().numbers().columns[0]).first(2));
    tensors["current_node"] = int_tensor({1}, current_node_);
}

Tensor byte_tensor(std::span<std::uint8_t const> flags) {
    std::vector<double> const values(flags.begin(), flags.end());
    return Tensor::from_doubles(Dtype::u8, {flags.size()}, values);
}

void allow_loads(ActionMask& mask, std::span<std::uint8_t const> visited, std::span<float const> demand, float used,
                 std::size_t current_node) {
    constexpr float limit = 1.0F + 1e-5F; // rl4co's allowance for demands that were rounded to float32
    bool customer_left = false;
    for (std::size_t i = 1; i < mask.size(); ++i) {
        mask[i] = visited[i] == 0 && !(demand[i - 1] + used > limit);
        customer_left = customer_left || mask[i] != 0;
    }
    mask[0] = !(current_node == 0 && customer_left);
}

double exact_distance(Point a, Point b) { return std::hypot(double{a.x} - double{b.x}, double{a.y} - double{b.y}); }

} // namespace cax::routing
