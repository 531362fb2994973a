#include "refusal.hpp"

#include "cax/explain/alternatives.hpp"
#include "cax/explain/sentence.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax::serve {
namespace {

/// The rule that stands between the state and the least impossible action about something that is still to be done.
std::optional<Alternative> nearest_miss(Policy const& policy, Decision const& decision,
                                        std::vector<std::size_t> const& before) {
    auto const found = alternatives(policy, decision, before, {.mode = PricingMode::policy, .actions = 0});
    if (!found) return std::nullopt;
    std::optional<Alternative> nearest;
    double depth = 0;
    for (Alternative const& each : found->all) {
        if (each.allowed || each.spent || !each.forbidden_by) continue;
        double const broken = -each.forbidden_by->slack / std::max(std::fabs(each.forbidden_by->limit), 1e-12);
        if (nearest && !(broken < depth)) continue;
        nearest = each;
        depth = broken;
    }
    return nearest;
}

std::string words_for(Policy const& policy, Decision const& decision, std::vector<std::size_t> const& before) {
    std::string const where =
        before.empty() ? "the plan cannot even begin" : fmt::format("the plan gets stuck after step {}", before.size());
    auto const miss = nearest_miss(policy, decision, before);
    if (!miss) return where + ": nothing is allowed there";
    Slack const& rule = *miss->forbidden_by;
    return fmt::format("{}: it could not {} ({}: {}, and the limit is {})", where, miss->words, rule.rule,
                       number_words(rule.used), number_words(rule.limit));
}

} // namespace

std::optional<std::string> why_stuck(Policy const& policy, Instance const& instance,
                                     std::map<std::size_t, std::size_t> const& insisted, StateOptions const& options) {
    StatePtr state = instance.reset(options);
    std::vector<std::size_t> actions;
    while (!state->done()) {
        if (nothing_allowed(*state)) {
            Decision const decision{0, actions.size(), std::shared_ptr<State const>(std::move(state)), 0, {}};
            return words_for(policy, decision, actions);
        }
        auto const own = insisted.find(actions.size());
        std::size_t action = 0;
        if (own != insisted.end()) {
            action = own->second;
            if (action >= state->action_mask().size() || state->action_mask()[action] == 0) return std::nullopt;
        } else {
            Observation const seen = policy.observe(*state);
            action = most_probable(policy.log_probs(std::span(&seen, 1), LogProbKind::policy).front());
        }
        state->step(action);
        actions.push_back(action);
    }
    return std::nullopt;
}

} // namespace cax::serve
