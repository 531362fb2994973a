#include "cax/problems/op/instance.hpp"

#include "state.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::op {
namespace {

/// rl4co's margin on the limit.
constexpr float limit_margin = 1e-6F;

} // namespace

Instance::Instance(routing::Numbers numbers) : InstanceOf(std::move(numbers)), arrival_limits_(nodes()) {
    distances_from(0, arrival_limits_);
    for (float& limit : arrival_limits_) limit = (data_.max_length - limit) - limit_margin;
}

std::string Instance::description() const {
    return fmt::format("{} customers, tour of length at most {}", customers(), data_.max_length);
}

StatePtr Instance::reset(StateOptions const&) const { return State::first(*this); }

std::vector<std::size_t> Instance::start_actions() const {
    StatePtr const state = reset();
    bool const all = std::ranges::all_of(state->action_mask(), [](std::uint8_t allowed) { return allowed != 0; });
    // If not all are allowed, rl4co draws at random from those that are.
    return all ? routing::Instance::start_actions() : std::vector<std::size_t>{};
}

} // namespace cax::op
