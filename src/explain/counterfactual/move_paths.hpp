#pragma once
// Ways along which a decision may flip: numbers that move one after the other, the steepest first. To first order that
// is the cheapest order under L1: the number with the steepest lead brings most per unit, as far as its budget reaches.
#include "counterfactual/what_if.hpp"

#include <limits>

namespace cax {

/// One number, moved as far as it may go.
struct Move {
    std::size_t tensor = 0;
    std::size_t index = 0;
    double by = 0;
    double slope = 0; ///< of the lead, per unit; 0 where nobody knows
};

/// A way, and what is known about the lead along it. Sizes are under the norm of the search.
struct MovePath {
    static constexpr double unknown = std::numeric_limits<double>::infinity();

    std::vector<Move> moves;
    double reach = 0;          ///< size of the whole way
    double expected = unknown; ///< where the gradient expects a flip, perhaps beyond the reach
    double lead_left = 0;      ///< the lead that it expects at the end
    bool whole = false;        ///< numbers move to whole values
    bool exact = false;        ///< `expected` is where a rule begins to forbid the old action

    double low = 0; ///< the farthest size that was tried and did not flip, below `high`
    double low_lead = 0;
    double high = unknown; ///< the smallest that did
    double high_lead = 0;
    std::size_t tries = 0;
    bool closed = false; ///< not worth another try

    [[nodiscard]] bool single() const { return moves.size() == 1; }
    [[nodiscard]] bool flips() const { return high < unknown; }
};

/// Which ways to consider.
struct PathOptions {
    bool single = false;      ///< ways of one number only
    bool everything = false;  ///< every number, in both directions
    std::size_t together = 0; ///< numbers of a way that is short enough to be read
};

/// Ways down the lead over `rival`, whose gradient is `slope`: single numbers, and per tensor several.
void add_paths(WhatIf const& what_if, Features const& slope, double lead, PathOptions const& options,
               std::vector<MovePath>& paths);
/// Numbers of the chosen node whose change makes a rule forbid the chosen action: found by replay alone, without asking
/// the policy, because rules have no slope.
void add_rule_paths(WhatIf const& what_if, std::vector<MovePath>& paths);
/// The same for numbers of one tensor that together make a rule forbid it (demands on board that fill the vehicle): as
/// few as it takes.
void add_shared_rule_paths(WhatIf const& what_if, std::vector<MovePath>& paths);
/// Numbers that are 0 for what does not exist (a machine that cannot do an operation) and whose coming into being
/// allows an action. Costs one pass, with all of them there at once: the way whose action is then taken is worth a try.
void add_opening_paths(WhatIf& what_if, std::vector<MovePath>& paths);
/// Numbers in directions that no path of one number has yet; nobody knows their slope.
void add_missing(WhatIf const& what_if, std::vector<MovePath>& paths);

[[nodiscard]] bool may_move(WhatIf const& what_if, std::size_t tensor, std::size_t index);
/// The change that a way amounts to at a size.
[[nodiscard]] Features change_at(WhatIf const& what_if, MovePath const& path, double size);
/// Its size: larger, where numbers move to whole values.
[[nodiscard]] double size_at(WhatIf const& what_if, MovePath const& path, double size);

} // namespace cax
