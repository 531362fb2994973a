#pragma once
// Everything about the decisions of one episode: the three primitives, the slacks and the sentences, as one value. The
// record cax/explanation/1 (cax/records/explanation.hpp) is this value written down, and computes nothing.
//
// The policy walks greedily through the instance. The episode always runs to its end, so that the solution is there;
// the primitives are asked about the chosen steps only. Everything but the seconds is the same for the same options,
// whatever the number of threads.
#include "cax/core/progress.hpp"
#include "cax/explain/answer.hpp"
#include "cax/explain/attribution.hpp"
#include "cax/explain/multipliers.hpp"
#include "cax/explain/sentence.hpp"
#include "cax/explain/subset.hpp"
#include "cax/problems/presentation.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cax {

struct ExplainOptions {
    ExplainOptions();

    /// Which decisions, counted from 0; empty = all.
    std::vector<std::size_t> steps;
    std::size_t first_steps = 0; ///< or the first so many; 0 = all
    StateOptions state_options;  ///< of the walk, and of every state that is replayed
    bool attribution = true;
    bool counterfactual = true;
    bool subset = true;
    /// Why was this node not chosen? As it is called in drawings: "17", "3.2", "depot".
    std::string why_not;
    MultiplierOptions multipliers;
    AttributionOptions attributions;
    AnswerOptions counterfactuals; ///< by default refined, and certified with the prefix
    SubsetOptions subsets;
    std::uint64_t seed = 0; ///< of everything
    std::size_t threads = 0;
    Progress progress = {}; ///< counts decisions
};

/// How long a part took.
struct PartSeconds {
    std::string part;
    double seconds = 0;
};

/// An action that the policy takes, or could.
struct Choice {
    std::size_t action = 0;
    std::string words;
    std::optional<double> probability;
    std::shared_ptr<State const> state; ///< in which it would be taken; null if that cannot be reached
};

/// One changed entry, in words that follow "if".
struct Condition {
    std::string words; ///< "customer 17's window closed at 220 instead of 232"
    double from = 0;   ///< in the instance's units
    double to = 0;
    std::optional<std::size_t> node; ///< that the entry belongs to; nothing for padding
};

struct StepCounterfactual {
    CounterfactualAnswer answer;
    // Of answer.best(); empty if there is none.
    std::optional<Choice> choice;      ///< what the policy does on the changed instance
    std::vector<Condition> conditions; ///< one for each of its changes
    std::string certificate_words;     ///< what its certificate says
};

struct StepSubset {
    Subset subset;
    std::vector<std::string> labels; ///< of the subset's nodes
    std::size_t k_max = 0;           ///< the largest size that could be tried
    double epsilon = 0;
    double confidence = 0;
    double level = 0;        ///< alpha of the bounds
    bool guaranteed = false; ///< accepted, and the bound reaches 1 - epsilon: what the paper accepts need not hold
};

/// Why an action is not in the mask.
struct Refusal {
    std::string reason;
    std::optional<Slack> slack; ///< of the rule that is broken
};

/// Why was that node not chosen?
struct StepWhyNot {
    std::size_t node = 0;
    std::string label;
    bool chosen = false;                              ///< it was
    std::optional<Refusal> refusal;                   ///< no action that leads there is allowed
    std::optional<Choice> choice;                     ///< else the most probable one
    std::optional<StepCounterfactual> counterfactual; ///< towards it; nothing if it was chosen or refused
};

struct Step {
    std::size_t step = 0; ///< counted from 0
    Choice choice;
    double log_prob = 0;
    std::size_t allowed = 0; ///< actions of the mask
    std::size_t actions = 0; ///< in all
    std::optional<Choice> runner_up;
    std::vector<Slack> slacks; ///< if the action is taken
    // Nothing if it was not asked for.
    std::optional<ScoredAttribution> attribution;
    std::optional<StepCounterfactual> counterfactual;
    std::optional<StepSubset> subset;
    std::optional<StepWhyNot> why_not;
    std::vector<Sentence> sentences;
    std::vector<PartSeconds> seconds;
};

struct Explanation {
    InstancePtr instance;
    std::vector<std::size_t> actions; ///< of the whole episode
    Solution solution;
    CheckReport report;                     ///< of the solution
    std::optional<Multipliers> multipliers; ///< nothing without attribution
    std::vector<Step> steps;
    std::vector<PartSeconds> seconds;
};

/// Error if the policy does not accept the instance, a step lies beyond the end, why_not names nothing, the episode
/// reaches a state in which nothing is allowed, or options contradict each other.
[[nodiscard]] Result<Explanation> explain(Policy const& policy, InstancePtr const& instance,
                                          ExplainOptions const& options);

} // namespace cax
