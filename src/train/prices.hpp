#pragma once
// What the actions of a decision are worth, as a lesson: not only which is best, but how much worse each other one is.
#include "cax/problems/problem.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cax::train {

struct PriceLesson {
    std::uint64_t work = 0; ///< for each action (CompletionRequest)
    double scale = 0;       ///< more than 0: see wanted_actions()
    /// Actions are wanted the more, the likelier they are already: the policy settles on one of those that are equally
    /// good, instead of taking all of them equally often.
    bool settle = false;
};

/// How much each action of a state is wanted, in proportion to exp(-regret / (scale * |best|)), where `best` is what
/// the best completion of all is worth and an action's regret what its own best one is worth less; if it is to settle,
/// times its probability. They sum to 1; actions that are forbidden, or that no completion was found of, are not
/// wanted. `before`: the actions that led to the state; `log_probs`: the policy's, of all actions. Error: the problem
/// cannot price actions, or none has a completion.
[[nodiscard]] Result<std::vector<float>> wanted_actions(State const& state, std::span<std::size_t const> before,
                                                        std::span<float const> log_probs, PriceLesson const& lesson);

} // namespace cax::train
