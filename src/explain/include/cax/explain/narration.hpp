#pragma once
// Tells an episode step by step: what was decided, how sure the policy was, what it would have done instead, and which
// rules were tightest at that moment.
#include "cax/core/json_fwd.hpp"
#include "cax/policies/decode.hpp"
#include "cax/problems/presentation.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cax {

struct NarratedStep {
    std::size_t step = 0;
    std::size_t action = 0;
    std::string words; ///< "visit customer 17"
    double probability = 0;
    bool forced = false;                  ///< the first move of a multi-start episode: not the policy's choice
    std::optional<std::size_t> runner_up; ///< the most probable other action
    std::string runner_up_words;
    double runner_up_probability = 0;
    std::size_t allowed = 0;     ///< number of allowed actions
    std::size_t actions = 0;     ///< number of actions
    std::vector<Slack> tightest; ///< at most two rules, by the share of the limit that is left
};

/// Replays the episode and asks the policy at every step.
[[nodiscard]] Result<std::vector<NarratedStep>> narrate(Policy const& policy, InstancePtr const& instance,
                                                        Trajectory const& trajectory, DecodeOptions const& options);

[[nodiscard]] std::string narration_text(ProblemInfo const& info, std::vector<NarratedStep> const& steps);
[[nodiscard]] Json narration_json(ProblemInfo const& info, std::vector<NarratedStep> const& steps);

} // namespace cax
