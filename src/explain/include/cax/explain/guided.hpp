#pragma once
// The smallest change of one number that flips the decision, and small changes of a few. Where the sampler of
// counterfactual.hpp throws shots, this looks where the policy's gradient points: to first order the lead m over a
// rival falls to 0 if one number with gradient g moves by m / |g|, and by the least sum of changes the steepest number
// alone does it, as far as its budget reaches. Ways of one number or of a few race each other: the one that is expected
// to flip at the smallest size is asked next, and the lead that the policy answers with corrects the expectation. What
// gradients cannot see, the rules, is found by replay: where the choice begins to be forbidden, and which numbers that
// are 0 would allow another action. Every candidate is replayed as any shot is: a flip is a flip that was tried, inside
// budgets, boxes and envelope.
//
// What an answer lets you conclude: the change flips the decision, and of the ways that were tried none is expected to
// flip at a size smaller by the stated accuracy. `tried` says how many numbers of how many; with `everything` it is all
// of them, in both directions, each up to the smallest flip known (supposing that moving further keeps a flip).
#include "cax/explain/counterfactual.hpp"

namespace cax {

struct GuidedOptions {
    /// Budgets, boxes, state mode, norm, `towards` and what may be moved; shots and random numbers play no part.
    CounterfactualOptions search = {};
    std::size_t passes = 28;  ///< forward passes at most, gradients counted as two
    std::size_t rivals = 2;   ///< the most probable other actions, whose leads are followed
    bool single = false;      ///< only changes of one number
    bool everything = false;  ///< try every number in both directions, however little the gradient thinks of it
    std::size_t together = 8; ///< numbers that move together at most, unless only more of them flip
    std::size_t doubts = 2;   ///< tries of ways that the gradient thinks little of, once a flip is known
    double accuracy = 0.1;    ///< what is not expected to be smaller by this part is not tried
};
/// Error if options contradict each other or do not fit the problem.
[[nodiscard]] Result<void> check_options(ProblemInfo const& info, GuidedOptions const& options);

struct GuidedFlip {
    std::size_t instance = 0; ///< as in the decision
    std::size_t step = 0;
    std::size_t action = 0;
    std::optional<Flip> flip;       ///< the smallest found, under the norm of the options
    std::size_t entries = 0;        ///< numbers that could be moved
    std::size_t tried = 0;          ///< changes of one of them, in one direction
    std::size_t tried_together = 0; ///< sets of several
    std::size_t refused = 0;        ///< candidates outside the envelope, or whose prefix cannot be repeated
    std::size_t forward_passes = 0;
    bool exhausted = false; ///< candidates were left when the passes ran out
};

/// One decision. Error as check_options(), and if the episode has no such step or `towards` no such action.
[[nodiscard]] Result<GuidedFlip> find_guided(Policy const& policy, Episode const& episode, std::size_t step,
                                             GuidedOptions const& options = {});

/// By tensor, the values between which the generator's draws for instances of this size lie: boxes that keep changes
/// on the map. Measured with a fixed seed; where the generator makes no instances of this size, on its usual one.
[[nodiscard]] Result<std::vector<std::optional<Box>>> generator_boxes(Instance const& instance);

} // namespace cax
