#pragma once
// Policies as people name them: a file, the name of a shipped one, or a command that answers for it.
#include "cax/core/json_fwd.hpp"
#include "cax/policies/policy.hpp"

#include <memory>
#include <string>

namespace cax::app {

struct LoadedPolicy {
    std::string path;   ///< the file or the command; empty: it came from neither
    std::string sha256; ///< of the file; empty without one
    std::shared_ptr<Policy const> policy;
    Problem const* problem = nullptr;
    Precision precision = Precision::float32; ///< of a network
    bool allow_random = false; ///< it may give two answers to the same question: nobody checks
};

/// `given` is a path, or the name of a shipped policy (cax/io/models.hpp). Errors name the file; one that holds
/// instances is recognised, because the two are easily given in the wrong order.
[[nodiscard]] Result<LoadedPolicy> load_policy(std::string const& given, PolicyOptions const& options);
/// A policy in a process of its own; see docs/policy-protocol.md.
[[nodiscard]] Result<LoadedPolicy> start_policy(std::string const& command, double start_seconds = 120,
                                                double answer_seconds = 60);
/// A policy of the caller's making. Error if nobody knows its problem.
[[nodiscard]] Result<LoadedPolicy> own_policy(std::shared_ptr<Policy const> policy,
                                              Precision precision = Precision::float32);

/// Which policy it was, as every result says: {path, sha256, problem, size, network, name, batch_invariant,
/// differentiable}; `encode` if it encodes every state whatever the settings say, `command` if it is one.
[[nodiscard]] Json policy_json(LoadedPolicy const& policy);

} // namespace cax::app
