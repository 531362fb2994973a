#pragma once
// A policy of anybody's making: something that turns a batch of states, given as rl4co's tensors under rl4co's names,
// into scores of the actions. It knows nothing of cax; a Python callable and a process on the other end of a pipe are
// two.
//
// What the scorer is spared: masking, normalising, batches of states that differ in shape. What it is not trusted with:
// every answer is checked for its size, for numbers that are none, and for the sum of its probabilities.
#include "cax/policies/policy.hpp"

#include <functional>

namespace cax {

/// States of one shape, stacked: every tensor has the batch as its first dimension. Feature tensors are F64, everything
/// else has rl4co's type; `action_mask` is BOOL of [states, actions].
struct TensorBatch {
    std::size_t states = 0;
    std::size_t actions = 0;
    NamedTensors tensors;
};

/// Both in the order of the batch.
struct ScoreGradient {
    std::vector<double> scores;
    NamedTensors gradients; ///< of the shapes in the batch; what is not there is 0
};

/// Throws PolicyFailure (or what its own world throws) where it cannot answer.
class TensorScorer {
public:
    virtual ~TensorScorer() = default;
    /// states x actions numbers, row by row. Scores of forbidden actions are not looked at.
    [[nodiscard]] virtual std::vector<double> scores(TensorBatch const& batch) = 0;
    /// Given the scores, what each counts for: d objective / d score.
    using Cotangents = std::function<std::vector<double>(std::span<double const> scores)>;
    /// Scores, and the gradient of the objective whose derivatives by the scores are cotangents(scores). Precondition:
    /// the policy's traits say that it is differentiable.
    [[nodiscard]] virtual ScoreGradient differentiate(TensorBatch const& batch, Cotangents const& cotangents) = 0;
};

enum class ScoreKind {
    logits,    ///< any numbers; the policy is their softmax over the allowed actions
    log_probs, ///< logarithms of probabilities, which must add up to 1 over the allowed actions
};
[[nodiscard]] NameTable<ScoreKind> names_of(ScoreKind); ///< "logits", "log_probs"

struct TensorPolicyOptions {
    std::string problem;          ///< "cvrptw"
    std::string name = "unnamed"; ///< for people
    ScoreKind scores = ScoreKind::logits;
    /// It has neither an encoder of its own nor raw log-probabilities, whatever is said here.
    PolicyTraits traits{.batch_invariant = false, .thread_safe = false, .differentiable = false};
    std::vector<std::string> reads{}; ///< the tensors it wants to see; empty = all
    std::size_t batch = 64;           ///< at most so many states in one call
};

/// Error if there is no such problem, or it has no such tensor.
[[nodiscard]] Result<std::unique_ptr<Policy>> make_tensor_policy(std::unique_ptr<TensorScorer> scorer,
                                                                 TensorPolicyOptions options);

} // namespace cax
