#pragma once
// Policies that are shown what is left of an instance (GraphObservation::stepwise). Their network reads a graph of the
// nodes that may be chosen, and no others; whoever asks speaks of all nodes. Here is the way from one to the other and
// back. Nothing that was encoded serves another state, so that decoding is asking anew.
#include "cax/policies/trainable.hpp"

#include <deque>

namespace cax {

/// What the network reads of a state. Precondition, as everywhere: something may be chosen.
struct Rest {
    Observation seen;               ///< with the nodes that may be chosen alone
    std::vector<std::size_t> nodes; ///< which they are
};
[[nodiscard]] Rest rest_of(Observation const& state);

class StepwisePolicy final : public Policy {
public:
    explicit StepwisePolicy(std::unique_ptr<Policy> network) : network_(std::move(network)) {}
    [[nodiscard]] PolicyInfo const& info() const override { return network_->info(); }
    [[nodiscard]] PolicyTraits traits() const override { return network_->traits(); }
    [[nodiscard]] bool encoding_changes() const override { return false; } // whatever was encoded
    [[nodiscard]] Result<void> accepts(Observation const& observation) const override {
        return network_->accepts(observation);
    }
    [[nodiscard]] std::unique_ptr<Encoding> encode(std::span<Observation const>) const override {
        return std::make_unique<Encoding>();
    }
    [[nodiscard]] std::vector<LogProbs> decode(Encoding const&, std::span<std::size_t const>,
                                               std::span<Observation const> observations,
                                               LogProbKind kind) const override {
        return log_probs(observations, kind);
    }
    [[nodiscard]] std::vector<LogProbs> log_probs(std::span<Observation const> observations,
                                                  LogProbKind kind) const override;
    [[nodiscard]] std::vector<Gradient> gradients(std::span<Observation const> observations,
                                                  std::span<std::vector<double> const> weights,
                                                  LogProbKind kind) const override;

private:
    std::unique_ptr<Policy> network_;
};

/// Around a lesson of the network that encodes every state as it stands.
class StepwiseLesson final : public Lesson {
public:
    explicit StepwiseLesson(std::unique_ptr<Lesson> network) : network_(std::move(network)) {}
    void begin(Observation const& reset) override;
    std::vector<std::span<float const>> decode(std::span<Observation const* const> states) override;
    void backward(std::span<float const> weights, float entropy_weight, std::span<float> gradient) override;

private:
    std::unique_ptr<Lesson> network_;
    std::deque<Rest> rests_;                   ///< of every decoded state
    std::deque<std::vector<float>> log_probs_; ///< the same
};

} // namespace cax
