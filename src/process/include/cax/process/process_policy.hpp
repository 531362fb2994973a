#pragma once
// A policy in a process of its own, in whatever language: docs/policy-protocol.md. It is started by a command, says in
// its first frame which problem it is for and what may be asked of it, and then answers batches of states, one frame
// each. It ends with the policy object.
#include "cax/policies/tensor_policy.hpp"

#include <string>

namespace cax {

struct ProcessOptions {
    std::string command;        ///< for /bin/sh
    double start_seconds = 120; ///< until the first frame has come: models take their time
    double answer_seconds = 60; ///< for each answer
};

/// Error if it does not start, or its first frame is not what it should be. The policy throws PolicyFailure where the
/// process has ended, is late, or sends what is no answer; after that it does so at every question.
[[nodiscard]] Result<std::unique_ptr<Policy>> make_process_policy(ProcessOptions const& options);

} // namespace cax
