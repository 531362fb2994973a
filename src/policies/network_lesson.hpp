#pragma once
// The lesson of any network, step by step through its own decode() and decode_backward(). Networks have faster lessons
// of their own; this one says what those must compute.
#include "cax/policies/trainable.hpp"
#include "network.hpp"

#include <cmath>

namespace cax {

/// Weights on log-probabilities whose gradient is that of weight * entropy: -weight * p log p. (The part through
/// log p itself vanishes, for probabilities sum to one.)
template <class R> void spread_entropy(R weight, std::span<R const> log_probs, R* weights) {
    if (weight == R{0}) return;
    for (std::size_t a = 0; a < log_probs.size(); ++a)
        if (R const p = std::exp(log_probs[a]); p > R{0}) weights[a] -= weight * p * log_probs[a];
}

template <Network Net> class NetworkLesson final : public Lesson {
    using R = typename Net::Real;
    using Input = typename Net::Input;

public:
    explicit NetworkLesson(Net const& net) : net_(net) {}

    void begin(Observation const& reset) override {
        tape_.reset();
        decoded_.clear();
        Input const* const input = &std::get<Input>(reset);
        encoded_ = net_.encode({&input, 1}, tape_, tape_);
    }

    std::vector<std::span<R const>> decode(std::span<Observation const* const> states) override {
        inputs_.clear();
        for (Observation const* const state : states) inputs_.push_back(&std::get<Input>(*state));
        rows_.assign(states.size(), 0);
        decoded_.push_back(net_.decode(encoded_, rows_, inputs_, LogProbKind::policy, tape_));
        std::vector<std::span<R const>> result;
        for (std::size_t i = 0; i < states.size(); ++i) result.push_back(decoded_.back().log_probs.row(i));
        return result;
    }

    void backward(std::span<std::size_t const> actions, std::span<R const> weights, R entropy_weight,
                  std::span<R> gradient) override {
        auto cotangent = net_.zero_cotangent(encoded_, tape_);
        std::size_t next = 0;
        for (auto const& decoded : decoded_) {
            scratch_.reset();
            auto const offsets = decoded.log_probs.offsets;
            nn::View<R> const spread = scratch_.zeros<R>(1, offsets.back());
            spread_entropy(entropy_weight, decoded.log_probs.values, spread.data);
            for (std::size_t i = 0; i + 1 < offsets.size(); ++i, ++next)
                spread.data[offsets[i] + actions[next]] += weights[next];
            net_.decode_backward(encoded_, decoded, {spread.data, offsets.back()}, cotangent, {}, gradient, scratch_);
        }
        scratch_.reset();
        net_.encode_backward(encoded_, cotangent, {}, gradient, scratch_);
    }

private:
    Net const& net_;
    nn::Arena tape_, scratch_;
    typename Net::Encoded encoded_;
    std::vector<typename Net::Decoded> decoded_; ///< one per call of decode()
    std::vector<Input const*> inputs_;
    std::vector<std::size_t> rows_;
};

} // namespace cax
