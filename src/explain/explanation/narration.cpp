#include "cax/explain/narration.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/sentence.hpp"
#include "cax/policies/rollout.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace cax {
namespace {

/// Share of the limit that is left. Rules without a finite limit are never tight, and nothing of nothing says nothing.
double looseness(Slack const& slack) {
    bool const empty = slack.limit == 0 && slack.used == 0;
    if (empty || !std::isfinite(slack.limit) || !std::isfinite(slack.slack)) {
        return std::numeric_limits<double>::infinity();
    }
    return slack.slack / std::max(std::abs(slack.limit), 1e-12);
}

std::vector<Slack> tightest_rules(State const& state, std::size_t action) {
    auto slacks = slacks_of(state, action);
    std::erase_if(slacks, [](Slack const& slack) { return !std::isfinite(looseness(slack)); });
    std::ranges::stable_sort(slacks, {}, looseness);
    if (slacks.size() > 2) slacks.resize(2);
    return slacks;
}

NarratedStep tell(State const& state, std::size_t action, LogProbs const& log_probs) {
    NarratedStep step;
    step.action = action;
    step.words = describe_action(state, action);
    step.probability = std::exp(log_probs[action]);
    auto const mask = state.action_mask();
    step.actions = mask.size();
    for (std::size_t a = 0; a < mask.size(); ++a) {
        if (mask[a] == 0) continue;
        ++step.allowed;
        if (a != action && (!step.runner_up || log_probs[a] > log_probs[*step.runner_up])) step.runner_up = a;
    }
    if (step.runner_up) {
        step.runner_up_words = describe_action(state, *step.runner_up);
        step.runner_up_probability = std::exp(log_probs[*step.runner_up]);
    }
    step.tightest = tightest_rules(state, action);
    return step;
}

std::string decision_line(NarratedStep const& step) {
    std::string line = fmt::format("{:>4}. {}", step.step + 1, step.words);
    if (step.forced) return line + ": the forced start of this attempt";
    if (!step.runner_up) return line + ": the only action allowed";
    // A sampled action need not be the most probable one.
    bool const favourite = step.probability >= step.runner_up_probability;
    return line + fmt::format(": {}; {}: {}, {}; {} of {} actions allowed", percent_words(step.probability),
                              favourite ? "next best" : "more likely was", step.runner_up_words,
                              percent_words(step.runner_up_probability), step.allowed, step.actions);
}

} // namespace

Result<std::vector<NarratedStep>> narrate(Policy const& policy, InstancePtr const& instance,
                                          Trajectory const& trajectory, DecodeOptions const& options) {
    auto const episode =
        rollout(policy, instance, {.state = options.state, .forced = forced_actions(trajectory.actions)});
    if (!episode) return episode.error();
    std::vector<NarratedStep> steps;
    for (Decision const& decision : episode->decisions) {
        steps.push_back(tell(*decision.state, decision.taken(), decision.log_probs));
        steps.back().step = decision.step;
        steps.back().forced = decision.step == 0 && options.mode == DecodeMode::multistart;
    }
    return steps;
}

std::string narration_text(ProblemInfo const& info, std::vector<NarratedStep> const& steps) {
    std::string text;
    for (NarratedStep const& step : steps) {
        text += decision_line(step) + "\n";
        for (Slack const& slack : step.tightest) {
            text += fmt::format("        {:<12} {}: {:.4g} of {:.4g}, {:.3g} to spare\n", info.families[slack.family],
                                slack.rule, slack.used, slack.limit, slack.slack);
        }
    }
    return text;
}

Json narration_json(ProblemInfo const& info, std::vector<NarratedStep> const& steps) {
    Json list = Json::array();
    for (NarratedStep const& step : steps) {
        Json rules = Json::array();
        for (Slack const& slack : step.tightest) {
            rules.push_back({{"family", info.families[slack.family]},
                             {"rule", slack.rule},
                             {"used", slack.used},
                             {"limit", slack.limit},
                             {"slack", slack.slack}});
        }
        Json entry = {{"step", step.step},     {"action", step.action},
                      {"words", step.words},   {"probability", step.probability},
                      {"forced", step.forced}, {"allowed", step.allowed},
                      {"runner_up", nullptr},  {"tightest", std::move(rules)}};
        if (step.runner_up) {
            entry["runner_up"] = {{"action", *step.runner_up},
                                  {"words", step.runner_up_words},
                                  {"probability", step.runner_up_probability}};
        }
        list.push_back(std::move(entry));
    }
    return list;
}

} // namespace cax
