#pragma once
// Finishing an episode from any state: where possible witnesses come from.
#include "cax/core/rng.hpp"
#include "cax/policies/policy.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace cax {

/// A policy that finishes episodes of one instance. Its encoder runs once; where its inputs change on the way, once per
/// state to start from, or at every step if that is how these states are shown (StateOptions::encode_once is false).
class Completer {
public:
    explicit Completer(Policy const& policy) : policy_(policy) {}

    /// Actions that the policy takes from `state` until the end; drawn at random where `rng` is given, else the most
    /// probable ones. Nothing if it runs into a state in which no action is allowed.
    [[nodiscard]] std::optional<std::vector<std::size_t>> from(State const& state, Rng* rng = nullptr);

private:
    /// Is the encoder to run at every step?
    bool encode(State const& state);

    Policy const& policy_;
    std::unique_ptr<Encoding> encoding_;
};

} // namespace cax
