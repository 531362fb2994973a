#include "state.hpp"

#include "fields.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace cax::tsptw {
namespace {

/// PIP's allowance when it looks ahead.
constexpr float patience = 1e-4F;

} // namespace

float State::start_at(std::size_t node) const {
    return std::max(time_ + distances()[node], data().time_windows[node].open);
}

ActionNumbers State::numbers(std::size_t action) const {
    auto numbers = routing::State::numbers(action);
    if (action > 0) numbers.start = start_at(action);
    return numbers;
}

void State::drive(std::size_t action) {
    if (done()) return;
    time_ = start_at(action);
    length_ += distances()[action];
}

void State::allow(ActionMask& mask) const {
    mask[0] = 0;
    for (std::size_t i = 1; i < mask.size(); ++i) mask[i] = visited()[i] == 0;
}

std::vector<std::uint8_t> State::strands_others() const {
    std::size_t const n = data().locs.size();
    std::vector<std::uint8_t> result(n, 0);
    std::vector<float> ways(n);
    for (std::size_t j = 1; j < n; ++j) {
        if (visited()[j] != 0) continue;
        instance().distances_from(j, ways);
        float const leaves = start_at(j);
        for (std::size_t k = 1; k < n && result[j] == 0; ++k) {
            if (k == j || visited()[k] != 0) continue;
            auto const [open, close] = data().time_windows[k];
            result[j] = std::max(leaves + ways[k], open) > close + patience;
        }
    }
    return result;
}

ActionMask State::lookahead() const {
    ActionMask mask(data().locs.size());
    allow(mask);
    ActionMask careful = mask;
    auto const strands = strands_others();
    for (std::size_t i = 1; i < mask.size(); ++i) careful[i] = mask[i] != 0 && strands[i] == 0;
    bool const nothing = std::ranges::none_of(careful, [](std::uint8_t flag) { return flag != 0; });
    return nothing ? mask : careful;
}

void State::add_tensors(NamedTensors& tensors) const {
    std::vector<std::uint8_t> flags = visited();
    flags[0] = 1;
    tensors["visited"] = Tensor::from_bools({flags.size()}, flags);
    tensors["action_mask"] = Tensor::from_bools({flags.size()}, lookahead());
    tensors["lookahead_mask"] = Tensor::from_bools({flags.size()}, strands_others());
    tensors["current_time"] = routing::float_tensor({1}, time_);
    tensors["length"] = routing::float_tensor({1}, length_);
    tensors["i"] = routing::int_tensor({1}, steps() + 1);
    for (char const* const other : {"terminated", "action", "reward"}) tensors.erase(other); // rl4co's own
}

std::vector<Slack> State::slacks(std::size_t action) const {
    if (action == 0) return {};
    double const arrival = double{time_} + double{distances()[action]};
    double const limit = data().time_windows[action].close;
    std::vector<Slack> slacks{{time_window, "arrival before the window closes", arrival, limit, limit - arrival}};
    if (auto next = tightest_after(action)) slacks.push_back(*std::move(next));
    return slacks;
}

std::optional<Slack> State::tightest_after(std::size_t node) const {
    std::optional<Slack> tightest;
    std::vector<float> ways(data().locs.size());
    instance().distances_from(node, ways);
    double const leaves = start_at(node);
    for (std::size_t k = 1; k < data().locs.size(); ++k) {
        if (k == node || visited()[k] != 0) continue;
        double const arrival = leaves + double{ways[k]}, limit = data().time_windows[k].close;
        if (tightest && limit - arrival >= tightest->slack) continue;
        tightest = {time_window, fmt::format("customer {} after it, before its window closes", k), arrival, limit,
                    limit - arrival};
    }
    return tightest;
}

std::vector<routing::StateScalar> State::scalars() const {
    return {{"current_time", time_window, double{time_}, 0, std::numeric_limits<double>::infinity(), steps() > 0}};
}

} // namespace cax::tsptw
