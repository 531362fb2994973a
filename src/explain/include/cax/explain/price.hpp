#pragma once
// What one decision gave away: the price of the chosen action beside those of the others.
#include "cax/explain/alternatives.hpp"

namespace cax {

struct Price {
    double given_away = 0; ///< never negative; 0 = nothing better is known
    /// The weaker of the two costs compared: `proved` is a regret, anything else only what was found so far.
    CostStatus status = CostStatus::unpriced;
    std::size_t instead = 0; ///< what the chosen action is compared with: the best of all that have a price
};

/// How much worse than the chosen action another one is, by their prices; negative = better. Nothing without both.
[[nodiscard]] std::optional<double> worse_by(Alternatives const& table, Alternative const& other, Objective objective);

/// Nothing if the chosen action or all others have no price. Prices of the policy's own completions are compared with
/// such prices only.
[[nodiscard]] std::optional<Price> price_of_choice(Alternatives const& table, Objective objective);

} // namespace cax
