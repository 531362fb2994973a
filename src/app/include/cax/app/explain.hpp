#pragma once
// Everything between a request, as it was typed, and explain(): the same for command line, live page and Python.
#include "cax/app/policy.hpp"
#include "cax/explain/explanation_request.hpp"

namespace cax::app {

/// How a piece of work is done, whatever is asked.
struct WorkOptions {
    std::uint64_t seed = 0;
    std::size_t threads = 0;
    Progress measuring = {}; ///< told only if what is usual for the policy has to be measured first
};

/// The request for this policy's problem, with the reference table if sensitivity is asked for. `asked` is the policy as
/// the work may ask it.
[[nodiscard]] Result<ExplainOptions> explain_options(ExplanationRequest& request, LoadedPolicy const& policy,
                                                     Policy const& asked, WorkOptions const& work);

/// The episode to be explained: the policy's own, or one along a plan that somebody else made.
[[nodiscard]] Result<Episode> episode_of(Policy const& policy, InstancePtr const& instance, StateOptions const& state,
                                         std::optional<ExternalPlan> const& plan = std::nullopt);

/// One entry of "cells" in the result of a question about one part: {instance, step, action, words, probability, PART}.
[[nodiscard]] Json answer_json(Explanation const& explanation, Step const& step, std::size_t instance,
                               std::string_view part);

/// One entry of "instances" in cax/regret/1: {instance, cost, best, gap, located, proved_steps, ranking, .., decisions}.
/// Without regret {instance, cost, reason}.
[[nodiscard]] Json regret_entry(Explanation const& explanation, std::size_t instance);

} // namespace cax::app
