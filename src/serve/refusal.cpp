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

} // namespace

std::string words_for_dead_end(Policy const& policy, Episode const& episode) {
    auto const before = episode.actions();
    std::string const where =
        before.empty() ? "the plan cannot even begin" : fmt::format("the plan gets stuck after step {}", before.size());
    std::string const nothing = where + ": nothing is allowed there";
    auto state = replay_actions(*episode.instance, before, episode.state);
    if (!state) return nothing;
    Decision const decision{0, before.size(), *std::move(state), 0, {}};
    auto const miss = nearest_miss(policy, decision, before);
    if (!miss) return nothing;
    Slack const& rule = *miss->forbidden_by;
    return fmt::format("{}: it could not {} ({}: {}, and the limit is {})", where, miss->words, rule.rule,
                       number_words(rule.used), number_words(rule.limit));
}

} // namespace cax::serve
