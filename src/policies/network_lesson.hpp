#pragma once
// The lesson of any network, step by step through its own decode() and decode_backward(). Networks have faster lessons
// of their own; this one says what those must compute.
#include "cax/policies/trainable.hpp"
#include "network.hpp"

#include <cmath>
#include <numeric>

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
    /// `stepwise`: every state is encoded as it stands, instead of the first for all of them.
    explicit NetworkLesson(Net const& net, bool stepwise = false) : net_(net), stepwise_(stepwise) {}

    void begin(Observation const& reset) override {
        tape_.reset();
        encoded_.clear();
        decoded_.clear();
        Input const* const input = &std::get<Input>(reset);
        if (!stepwise_) encoded_.push_back(net_.encode({&input, 1}, tape_, tape_));
    }

    std::vector<std::span<R const>> decode(std::span<Observation const* const> states) override {
        inputs_.clear();
        for (Observation const* const state : states) inputs_.push_back(&std::get<Input>(*state));
        rows_.assign(states.size(), 0);
        if (stepwise_) {
            std::iota(rows_.begin(), rows_.end(), std::size_t{0});
            encoded_.push_back(net_.encode(inputs_, tape_, tape_));
        }
        decoded_.push_back(net_.decode(encoded_.back(), rows_, inputs_, LogProbKind::policy, tape_));
        std::vector<std::span<R const>> result;
        for (std::size_t i = 0; i < states.size(); ++i) result.push_back(decoded_.back().log_probs.row(i));
        return result;
    }

    void backward(std::span<R const> weights, R entropy_weight, std::span<R> gradient) override {
        std::size_t const decoded_each = stepwise_ ? 1 : decoded_.size();
        for (std::size_t e = 0; e < encoded_.size(); ++e) {
            summed_.reset();
            auto cotangent = net_.zero_cotangent(encoded_[e], summed_);
            for (auto const& decoded : std::span(decoded_).subspan(e * decoded_each, decoded_each)) {
                scratch_.reset();
                std::size_t const count = decoded.log_probs.values.size();
                nn::View<R> const spread = scratch_.matrix<R>(1, count);
                std::ranges::copy(weights.first(count), spread.data);
                weights = weights.subspan(count);
                spread_entropy(entropy_weight, decoded.log_probs.values, spread.data);
                net_.decode_backward(encoded_[e], decoded, {spread.data, count}, cotangent, {}, gradient, scratch_);
            }
            scratch_.reset();
            net_.encode_backward(encoded_[e], cotangent, {}, gradient, scratch_);
        }
    }

private:
    Net const& net_;
    bool stepwise_;
    nn::Arena tape_, summed_, scratch_;
    std::vector<typename Net::Encoded> encoded_; ///< one; if stepwise, one per call of decode()
    std::vector<typename Net::Decoded> decoded_; ///< one per call of decode()
    std::vector<Input const*> inputs_;
    std::vector<std::size_t> rows_;
};

} // namespace cax
