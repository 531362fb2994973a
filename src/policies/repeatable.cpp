#include "cax/policies/repeatable.hpp"

#include "cax/problems/presentation.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

/// Of log-probabilities that a machine adds up in another order.
constexpr double rounding = 1e-5;

bool same_answer(double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
    return std::fabs(a - b) <= rounding * (1 + std::fabs(a));
}

} // namespace

Result<void> check_repeatable(Policy const& policy, Instance const& instance) {
    if (policy.traits().has_encoder) return {};
    StatePtr const state = instance.reset();
    if (state->done() || nothing_allowed(*state)) return {};
    Observation const seen = policy.observe(*state);
    LogProbs const first = policy.log_probs({&seen, 1}).front();
    LogProbs const second = policy.log_probs({&seen, 1}).front();
    for (std::size_t a = 0; a < first.size(); ++a) {
        if (same_answer(first[a], second[a])) continue;
        return Error{ErrorCode::invalid_value,
                     fmt::format("policy {}: asked twice about the same state, it gives two answers: to {} has the "
                                 "log-probability {:.6g}, then {:.6g}. Is it random (dropout), or does it keep a state "
                                 "of its own? What is said of it would not hold the next time (--allow-random, or "
                                 "allow_random=True in Python, goes on all the same)",
                                 policy.info().network, describe_action(*state, a), first[a], second[a])};
    }
    return {};
}

RuledOut ruled_out(Episode const& episode) {
    RuledOut result;
    for (Decision const& decision : episode.decisions) {
        auto const mask = decision.state->action_mask();
        std::size_t here = 0;
        for (std::size_t a = 0; a < mask.size(); ++a) {
            if (mask[a] != 0 && std::isinf(decision.log_probs[a])) ++here;
        }
        result.actions += here;
        if (here > 0) ++result.decisions;
    }
    return result;
}

} // namespace cax
