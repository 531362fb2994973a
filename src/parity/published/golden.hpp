#pragma once
// Numbers that the paper's published code computed: folders with a manifest.json and one file per method
// (lambda.safetensors and so on). Each method's comparison is a part: one file here, and one line in the table of
// golden.cpp. What all parts share stands in ReferenceCheck: instances, the states along the recorded
// actions, and the policy in the precisions asked for.
#include "golden_tensors.hpp"
#include "ledger.hpp"

#include "cax/core/json_fwd.hpp"
#include "cax/policies/policy.hpp"
#include "cax/problems/problem.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace cax::parity {

struct ReferencePolicy {
    Precision precision = Precision::float32;
    std::unique_ptr<Policy> policy;
    [[nodiscard]] bool is_double() const { return precision == Precision::float64; }
};

struct ReferenceCheck {
    Problem const& problem;
    Json const& manifest;
    Ledger ledger;
    std::vector<ReferencePolicy> policies;
    std::vector<InstancePtr> instances;
    /// [instance][step]: the state before that decision, where the recorded greedy actions lead.
    std::vector<std::vector<std::shared_ptr<State const>>> states;
    std::vector<std::vector<std::size_t>> actions; ///< [instance][step]: the recorded ones
    std::size_t threads = 0;

    [[nodiscard]] std::size_t steps() const { return states.front().size(); }
};

/// Compares the tensors of one file. Disagreement goes into the ledger; an Error is a file that makes no sense.
using ReferenceComparison = Result<void> (*)(ReferenceCheck& check, GoldenTensors& golden);

struct ReferencePart {
    std::string_view file; ///< "lambda.safetensors"
    ReferenceComparison compare;
};

/// Gradients, masses, multipliers and scores.
[[nodiscard]] Result<void> compare_lambda(ReferenceCheck& check, GoldenTensors& golden);
/// Recorded noise, replayed shot by shot.
[[nodiscard]] Result<void> compare_counterfactual(ReferenceCheck& check, GoldenTensors& golden);
/// Recorded noise, replayed sample by sample.
[[nodiscard]] Result<void> compare_subset(ReferenceCheck& check, GoldenTensors& golden);

/// The tensor `name` as doubles if it has this shape. Otherwise nothing, and a failure unless there is no such tensor.
[[nodiscard]] std::optional<std::vector<double>> golden_values(ReferenceCheck& check, GoldenTensors& golden,
                                                               std::string const& name, Shape const& shape);

} // namespace cax::parity
