#pragma once
// Work that can be called off. Whatever asks a policy through WatchedPolicy stops at its next question once the watch
// says so: by Ctrl-C, or because nobody waits for the answer any more.
#include "cax/policies/policy.hpp"

#include <atomic>
#include <exception>

namespace cax {

/// Thrown out of the work by whoever notices first.
class Cancelled final : public std::exception {
public:
    [[nodiscard]] char const* what() const noexcept override { return "cancelled"; }
};

/// May be stopped from any thread.
class Watch {
public:
    void stop() { stop_ = true; }
    [[nodiscard]] bool stopped() const { return stop_; }
    void check() const {
        if (stop_) throw Cancelled();
    }

private:
    std::atomic<bool> stop_ = false;
};

/// The same policy, until the watch says stop. Both must outlive it.
class WatchedPolicy final : public Policy {
public:
    WatchedPolicy(Policy const& policy, Watch const& watch) : policy_(policy), watch_(watch) {}
    [[nodiscard]] PolicyInfo const& info() const override { return policy_.info(); }
    [[nodiscard]] PolicyTraits traits() const override { return policy_.traits(); }
    [[nodiscard]] Observation observe(State const& state, Features const& features) const override;
    [[nodiscard]] Observation observe_for_decoding(State const& state) const override;
    [[nodiscard]] Features pull_back(State const& state, Observation const& gradient) const override;
    [[nodiscard]] Result<void> accepts(Observation const& observation) const override;
    [[nodiscard]] bool encoding_changes() const override { return policy_.encoding_changes(); }
    [[nodiscard]] std::unique_ptr<Encoding> encode(std::span<Observation const> observations) const override;
    [[nodiscard]] std::vector<LogProbs> decode(Encoding const& encoding, std::span<std::size_t const> rows,
                                               std::span<Observation const> observations,
                                               LogProbKind kind) const override;
    [[nodiscard]] std::vector<LogProbs> log_probs(std::span<Observation const> observations,
                                                  LogProbKind kind) const override;
    [[nodiscard]] std::vector<Gradient> gradients(std::span<Observation const> observations,
                                                  std::span<std::vector<double> const> weights,
                                                  LogProbKind kind) const override;

private:
    Policy const& policy_;
    Watch const& watch_;
};

} // namespace cax
