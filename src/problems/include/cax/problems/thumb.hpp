#pragma once
// Rules of thumb: what a person who knows nothing but a simple rule would do next. Each rule scores the allowed
// actions; it would take one with the lowest score. A capability of problems; where it is missing, there are no rules.
#include "cax/problems/problem.hpp"

namespace cax {

struct ThumbRule {
    std::string_view name;  ///< "nearest"
    std::string_view words; ///< to follow "like": "going to the nearest customer"
};

class RulesOfThumb {
public:
    virtual ~RulesOfThumb() = default;
    [[nodiscard]] virtual std::vector<ThumbRule> thumb_rules() const = 0;
    /// By action: lower is better, infinite where the rule would not think of it (and where the mask forbids it).
    /// Preconditions: the state belongs to the problem and is not done, `rule` is one of them.
    [[nodiscard]] virtual std::vector<double> thumb_scores(State const& state, std::size_t rule) const = 0;
};

/// Empty where the problem has none.
[[nodiscard]] std::vector<ThumbRule> rules_of_thumb(Problem const& problem);

} // namespace cax
