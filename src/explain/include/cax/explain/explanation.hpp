#pragma once
// Everything about the decisions of one episode: the three primitives, the slacks, the drawings and the sentences, as
// the JSON value that `cax explain` writes and the report shows (cax/explanation/1 without its head).
//
// The policy walks greedily through the instance. The episode always runs to its end, so that the solution is there;
// the primitives are asked about the chosen steps only. Everything but the "seconds" is the same for the same options,
// whatever the number of threads.
//
//   problem {name, title, objective, cost_word, node_word, families: [{name, label, hint}]}
//   instance {name, size, description}, notes [..], scene, solution {cost, valid, actions, drawing, ...}
//   lambda {family: value}, lp {...}, range {...}
//   steps [{step, action, words, probability, log_prob, allowed, actions, mark, runner_up, slacks, moment,
//           attribution, counterfactual, subset, why_not, sentences, seconds}]
//
// scene, moment, mark and drawing: see cax/problems/presentation.hpp. Parts that were not asked for are null.
#include "cax/core/json_fwd.hpp"
#include "cax/core/progress.hpp"
#include "cax/explain/answer.hpp"
#include "cax/explain/attribution.hpp"
#include "cax/explain/multipliers.hpp"
#include "cax/explain/subset.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cax {

struct ExplainOptions {
    ExplainOptions();

    /// Which decisions, counted from 0; empty = all.
    std::vector<std::size_t> steps;
    bool attribution = true;
    bool counterfactual = true;
    bool subset = true;
    /// Why was this node not chosen? As it is called in drawings: "17", "3.2", "depot".
    std::string why_not;
    MultiplierOptions multipliers;
    AttributionOptions attributions;
    CounterfactualRequest counterfactuals; ///< by default refined, and certified with the prefix
    SubsetOptions subsets;
    std::uint64_t seed = 0; ///< of everything
    std::size_t threads = 0;
    Progress progress = {}; ///< counts decisions
};

/// Error if the policy does not accept the instance, a step lies beyond the end, why_not names nothing, the episode
/// reaches a state in which nothing is allowed, or options contradict each other.
[[nodiscard]] Result<Json> explain(Policy const& policy, InstancePtr const& instance, ExplainOptions const& options);

} // namespace cax
