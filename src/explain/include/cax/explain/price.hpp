#pragma once
// What one decision gave away: the price of the chosen action beside those of the others. A statement about all allowed
// actions needs a proved cost or a bound for each of them; what only some are known to cost says something about those.
#include "cax/explain/alternatives.hpp"

namespace cax {

struct Price {
    /// What the best of all allowed actions is better by; nothing unless the interval has no width.
    std::optional<double> given_away;
    double at_least = 0;           ///< proved: no less is given away
    std::optional<double> at_most; ///< proved: no more is; nothing without a cost or a bound for every allowed action
    double found = 0;              ///< what the best of the actions compared is better by, by their prices; never negative
    CostStatus status = CostStatus::unpriced; ///< the weaker of the two costs that `found` compares
    CostStatus weakest = CostStatus::unpriced; ///< of all costs compared
    std::size_t instead = 0;  ///< what the chosen action is compared with: the best of all that have a price
    std::size_t compared = 0; ///< actions with such a price, the chosen one among them, and those proved to lead nowhere
    std::size_t allowed = 0;  ///< actions in all

    /// Something can be said about all of them, and not only about some.
    [[nodiscard]] bool of_all() const { return compared == allowed; }
};

/// How much worse than the chosen action another one is, by their prices; negative = better. Nothing without both.
[[nodiscard]] std::optional<double> worse_by(Alternatives const& table, Alternative const& other, Objective objective);

/// Nothing if the chosen action or all others have no price. Prices of the policy's own completions are compared with
/// such prices only.
[[nodiscard]] std::optional<Price> price_of_choice(Alternatives const& table, Objective objective);

} // namespace cax
