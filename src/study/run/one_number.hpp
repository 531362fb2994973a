#pragma once
// The smallest change of one number that flips a decision, found without gradients: every number that may move is tried
// alone, in both directions, at sizes that grow by a factor of four; what flips first is bisected. The control of the
// guided search, which shares its gradients with the proxy attribution.
#include "cax/explain/counterfactual.hpp"

namespace cax::study {

struct OneNumberOptions {
    CounterfactualOptions search = {}; ///< budgets, boxes and how a changed state is judged; shots play no part
    std::size_t levels = 6;            ///< sizes; the largest is the farthest that any number may move
    std::size_t rounds = 6;            ///< of bisection: the flip is smallest up to a factor of 4^(1/2^rounds)
};

struct OneNumberFlip {
    std::optional<Flip> flip; ///< the smallest found
    std::size_t movable = 0;  ///< numbers that were tried
    /// At this size, or as far as it may move, every number was tried in both directions and none flips. 0 if one does
    /// at the smallest size.
    double none_at = 0;
    std::size_t tried = 0; ///< changes that the policy was asked about
};

/// One decision. What is found is the smallest if moving a number further keeps its flip. Error as
/// find_counterfactual().
[[nodiscard]] Result<OneNumberFlip> find_one_number(Policy const& policy, Episode const& episode, std::size_t step,
                                                    OneNumberOptions const& options);

} // namespace cax::study
