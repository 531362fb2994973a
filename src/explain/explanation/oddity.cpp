#include "explanation/oddity.hpp"

#include "cax/problems/thumb.hpp"

#include <cmath>

namespace cax {
namespace {

/// By how much the change makes the new action better, against the old one, in the rule's own units; nothing if the
/// rule does not know one of them.
std::optional<double> gain(std::vector<double> const& before, std::vector<double> const& after, std::size_t old_action,
                           std::size_t new_action) {
    for (auto const* scores : {&before, &after}) {
        if (!std::isfinite((*scores)[old_action]) || !std::isfinite((*scores)[new_action])) return std::nullopt;
    }
    double const scale = 1 + std::fabs(before[new_action]) + std::fabs(before[old_action]);
    double const change = (before[new_action] - after[new_action]) - (before[old_action] - after[old_action]);
    return change / scale;
}

} // namespace

bool answers_the_wrong_way(Decision const& decision, Flip const& flip) {
    constexpr double slip = 1e-5; // scores come from single-precision numbers
    if (!flip.state || decision.state->action_mask()[flip.new_action] == 0) return false;
    if (flip.state->action_mask()[decision.action] == 0) return false;
    Problem const& problem = decision.state->instance().problem();
    std::size_t against = 0;
    for (std::size_t r = 0; r < rules_of_thumb(problem).size(); ++r) {
        auto const change = gain(problem.thumb()->thumb_scores(*decision.state, r),
                                 problem.thumb()->thumb_scores(*flip.state, r), decision.action, flip.new_action);
        if (!change) continue;
        if (*change > slip) return false;
        if (*change < -slip) ++against;
    }
    return against > 0;
}

} // namespace cax
