#pragma once
// Which simple rules would have done the same? Every rule of thumb of the problem is asked about the same state; it
// agrees if the policy's action is one of those it likes best. Over a whole episode, the rule that agrees most often is
// the simplest story of the plan, and the steps at which they part are where the policy does something else.
//
// What an answer lets you conclude: that the policy acts *like* the rule here, not that it follows it.
#include "cax/policies/rollout.hpp"
#include "cax/problems/thumb.hpp"

#include <optional>
#include <vector>

namespace cax {

/// What one rule says about one decision.
struct ThumbVerdict {
    bool agrees = false;     ///< the policy's action is among its best
    std::size_t choice = 0;  ///< what it would take: the lowest of its best actions
    std::size_t equal = 0;   ///< how many are its best
    std::size_t allowed = 0; ///< how many actions there were: a coin would agree with equal / allowed
};

struct Thumb {
    std::size_t instance = 0; ///< as in the decision
    std::size_t step = 0;
    std::size_t action = 0;
    bool choice = false;             ///< more than one action was allowed
    std::vector<ThumbVerdict> rules; ///< in the order of rules_of_thumb(); empty where the problem has none
};

[[nodiscard]] Thumb thumb(Decision const& decision);

/// How well one rule tells a whole episode. Only decisions with a choice count.
struct ThumbRecord {
    ThumbRule rule;
    std::size_t agreed = 0;
    std::size_t decisions = 0;
    double chance = 0;                   ///< how often a coin among the allowed actions would have agreed, 0 to 1
    std::vector<std::size_t> departures; ///< steps at which they part

    [[nodiscard]] double rate() const; ///< 0 if there were no decisions
};

struct ThumbStory {
    std::vector<Thumb> steps;
    std::vector<ThumbRecord> rules; ///< in the order of rules_of_thumb()

    /// The rule that agrees most often, the first on ties; nothing without rules or decisions.
    [[nodiscard]] std::optional<std::size_t> best() const;
};

[[nodiscard]] ThumbStory thumb_story(Episode const& episode);

} // namespace cax
