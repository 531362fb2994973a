#include "prefix.hpp"

#include "state.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::fjsp {
namespace {

Result<Prefix> play(Instance const& instance, std::span<std::size_t const> actions, bool waiting) {
    Prefix prefix{{}, {}, std::vector<double>(instance.job_count()), std::vector<double>(instance.machine_count())};
    for (std::size_t j = 0; j < instance.job_count(); ++j) prefix.next.push_back(instance.first_operation(j));
    StatePtr const base = instance.reset({.allow_waiting = waiting});
    auto& state = static_cast<State&>(*base);
    for (std::size_t t = 0; t < actions.size(); ++t) {
        std::size_t const action = actions[t];
        auto const mask = state.action_mask();
        // An episode that waits anywhere was played by the rules of waiting from its beginning.
        if (action == 0 && !state.done() && !waiting) return play(instance, actions, true);
        if (action >= mask.size() || mask[action] == 0) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("prefix[{}]: action {} is {}", t, action,
                                     action >= mask.size() ? "out of range" : "not allowed there")};
        }
        if (action > 0) {
            std::size_t const job = (action - 1) / instance.machine_count();
            std::size_t const machine = (action - 1) % instance.machine_count();
            std::size_t const operation = state.next_operation(job);
            double const start = std::max({double{state.time()}, prefix.job_free[job], prefix.machine_free[machine]});
            prefix.job_free[job] = prefix.machine_free[machine] = start + double{instance.time(machine, operation)};
            prefix.schedule.entries.push_back({operation, machine, start});
            prefix.next[job] = operation + 1;
        }
        state.step(action);
    }
    prefix.clock = state.time();
    return prefix;
}

} // namespace

Result<Prefix> play(Instance const& instance, std::span<std::size_t const> actions) {
    return play(instance, actions, false);
}

} // namespace cax::fjsp
