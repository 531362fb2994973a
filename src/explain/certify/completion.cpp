#include "certify/completion.hpp"

#include "cax/explain/cells.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace cax {
namespace {

std::size_t drawn(LogProbs const& log_probs, Rng& rng) {
    double left = rng.uniform();
    for (std::size_t a = 0; a < log_probs.size(); ++a) {
        left -= std::exp(log_probs[a]);
        if (left < 0) return a;
    }
    return most_probable(log_probs); // the probabilities add up to a little less than 1
}

/// Is the encoder shown the state as it is, and not the start of its episode? Of a start itself nobody can tell.
bool shows_itself(Observation const& seen) {
    auto const* schedule = std::get_if<ScheduleObservation>(&seen);
    return schedule != nullptr && !schedule->encoder &&
           std::ranges::any_of(schedule->scheduled, [](std::uint8_t flag) { return flag != 0; });
}

} // namespace

bool Completer::encode(State const& state) {
    Observation const seen = policy_.observe(state);
    encoding_ = policy_.encode({&seen, 1});
    return policy_.encoding_changes() && shows_itself(seen);
}

std::optional<std::vector<std::size_t>> Completer::from(State const& state, Rng* rng) {
    std::vector<std::size_t> actions;
    if (state.done()) return actions;
    StatePtr const current = state.clone();
    if (nothing_allowed(*current)) return std::nullopt;
    bool each_step = false;
    if (!encoding_ || policy_.encoding_changes()) each_step = encode(*current);
    std::size_t const row = 0;
    while (!current->done()) {
        if (nothing_allowed(*current)) return std::nullopt;
        if (each_step && !actions.empty()) encode(*current);
        Observation const seen = policy_.observe_for_decoding(*current);
        LogProbs const log_probs = policy_.decode(*encoding_, {&row, 1}, {&seen, 1}).front();
        std::size_t const action = rng != nullptr ? drawn(log_probs, *rng) : most_probable(log_probs);
        actions.push_back(action);
        current->step(action);
    }
    return actions;
}

} // namespace cax
