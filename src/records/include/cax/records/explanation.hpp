#pragma once
// The record of an explanation: cax/explanation/1 without its head (schema, version, policy, ...).
//
//   problem {name, title, objective, cost_word, node_word, families: [{name, label, hint}]}
//   instance {name, size, description}, scene, solution {cost, valid, violations, actions, drawing, ...}
//   steps [{action, words, probability, mark, step, log_prob, allowed, actions, runner_up, slacks, moment,
//           attribution, counterfactual, subset, why_not, swap, sensitivity, forbidden, alternatives, thumb, lines,
//           sentences, seconds}]
//   story [{text, evidence, about, fields}], plan {...}, best_known {...}, thumb {...}
//   given {whose, policy_cost, gap, waits} and, in each step, policy {action, words, probability, agrees}: the plan is
//   somebody else's; else null
//   backend, aggregate, lambda {family: value}, lp {...}, range {...}
//
// scene, moment, mark and drawing: see cax/problems/presentation.hpp. Parts that were not asked for are null.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/explanation.hpp"

#include <map>

namespace cax::records {

[[nodiscard]] Json explanation_json(Explanation const& explanation);

// What is read back, to compare two explanations. Versions may differ: what a file has not is nothing here.

struct FlipRecord {
    std::optional<CounterfactualStatus> status;
    std::optional<std::string> new_words;
    std::vector<std::string> conditions; ///< in words
    std::optional<Verdict> verdict;
    bool operator==(FlipRecord const&) const = default;
};

struct WhyNotRecord {
    std::optional<std::string> label;
    std::optional<bool> allowed;
    std::optional<double> probability;
    FlipRecord counterfactual;
};

struct StepRecord {
    std::size_t step = 0;
    std::optional<std::string> words;
    std::optional<double> probability;
    std::optional<std::string> runner_up;              ///< in words
    std::optional<std::string> top;                    ///< family
    std::map<std::string, double, std::less<>> shares; ///< of the attribution, by family
    FlipRecord counterfactual;
    std::vector<std::string> labels; ///< of the sufficient subset's nodes
    WhyNotRecord why_not;

    [[nodiscard]] std::optional<double> share_of(std::string_view family) const;
};

struct ExplanationRecord {
    struct Family {
        std::string name;
        std::optional<std::string> label;
    };
    std::optional<std::string> policy_sha256;
    std::optional<std::string> instances_sha256;
    std::optional<std::uint64_t> seed;
    std::optional<std::string> cost_word;
    std::optional<double> cost;
    std::optional<std::vector<std::size_t>> actions;
    std::vector<Family> families;
    std::vector<StepRecord> steps;

    /// Null if there is no such step.
    [[nodiscard]] StepRecord const* find(std::size_t step) const;
};

/// A file of schema cax/explanation/1, head included. Error names the field that makes no sense.
[[nodiscard]] Result<ExplanationRecord> read_explanation(Json const& json);

} // namespace cax::records
