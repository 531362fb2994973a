#include "cax/explain/thumb.hpp"

#include <algorithm>
#include <cmath>

namespace cax {
namespace {

/// Scores that differ by less are equal: they come from single-precision numbers.
constexpr double equal_scores = 1e-6;

ThumbVerdict verdict_of_rule(std::vector<double> const& scores, Decision const& decision) {
    ThumbVerdict verdict;
    double const best = *std::ranges::min_element(scores);
    bool found = false;
    for (std::size_t a = 0; a < scores.size(); ++a) {
        if (decision.state->action_mask()[a] != 0) ++verdict.allowed;
        if (!std::isfinite(scores[a]) || scores[a] > best + equal_scores * (1 + std::fabs(best))) continue;
        if (!found) verdict.choice = a;
        found = true;
        ++verdict.equal;
        verdict.agrees = verdict.agrees || a == decision.taken();
    }
    return verdict;
}

} // namespace

Thumb thumb(Decision const& decision) {
    Thumb result{.instance = decision.instance,
                 .step = decision.step,
                 .action = decision.taken(),
                 .choice = decision.runner_up().has_value(),
                 .rules = {}};
    Problem const& problem = decision.state->instance().problem();
    std::size_t const rules = rules_of_thumb(problem).size();
    for (std::size_t r = 0; r < rules; ++r) {
        result.rules.push_back(verdict_of_rule(problem.thumb()->thumb_scores(*decision.state, r), decision));
    }
    return result;
}

double ThumbRecord::rate() const {
    return decisions == 0 ? 0 : static_cast<double>(agreed) / static_cast<double>(decisions);
}

std::optional<std::size_t> ThumbStory::best() const {
    auto const most = std::ranges::max_element(rules, {}, &ThumbRecord::agreed);
    if (most == rules.end() || most->decisions == 0) return std::nullopt;
    return static_cast<std::size_t>(most - rules.begin());
}

ThumbStory thumb_story(Episode const& episode) {
    ThumbStory story;
    for (ThumbRule const& rule : rules_of_thumb(episode.instance->problem())) {
        story.rules.push_back({.rule = rule, .agreed = 0, .decisions = 0, .chance = 0, .departures = {}});
    }
    for (Decision const& decision : episode.decisions) {
        Thumb const step = thumb(decision);
        for (std::size_t r = 0; step.choice && r < step.rules.size(); ++r) {
            ThumbRecord& record = story.rules[r];
            ++record.decisions;
            record.chance += static_cast<double>(step.rules[r].equal) / static_cast<double>(step.rules[r].allowed);
            if (step.rules[r].agrees)
                ++record.agreed;
            else
                record.departures.push_back(decision.step);
        }
        story.steps.push_back(step);
    }
    for (ThumbRecord& record : story.rules) {
        if (record.decisions > 0) record.chance /= static_cast<double>(record.decisions);
    }
    return story;
}

} // namespace cax
