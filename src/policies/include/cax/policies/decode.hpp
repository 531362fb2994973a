#pragma once
// From a policy to solutions: greedy, multi-start greedy, sampling. Deterministic for a seed, whatever the threads.
#include "cax/core/progress.hpp"
#include "cax/policies/policy.hpp"

namespace cax {

enum class DecodeMode {
    greedy,     ///< the most probable action at every step, lowest index on ties
    multistart, ///< one greedy episode per forced first move, the best kept (POMO)
    sample,     ///< `samples` random episodes, the best kept
};

/// Encode the reset state once (rl4co's own loop), or the current state at every step (what the explainer sees). The
/// two differ only for policies with encoding_changes().
enum class EncodeMode { once, each_step };

[[nodiscard]] NameTable<DecodeMode> names_of(DecodeMode);
[[nodiscard]] NameTable<EncodeMode> names_of(EncodeMode);

/// What that comes to for a policy: without an encoder, or with one that is shown what is left, every step stands by
/// itself; where the two are the same, once is cheaper.
[[nodiscard]] EncodeMode encode_mode(Policy const& policy, EncodeMode wanted);

struct DecodeOptions {
    DecodeMode mode = DecodeMode::greedy;
    EncodeMode encode = EncodeMode::once;
    std::size_t samples = 100;
    std::size_t starts = 0; ///< multistart: 0 = all of the instance's start actions
    std::uint64_t seed = 0;
    std::size_t threads = 0; ///< 0 = all cores
    /// What the instances are called, in errors and where random numbers are named; empty = by their places.
    std::vector<std::size_t> numbers = {};
    StateOptions state = {};
    Progress progress = {};
};

class OptionTable;
/// --decode, --samples, --encode.
void describe(OptionTable& table, DecodeOptions& options);

struct Episode {
    std::vector<std::size_t> actions; ///< until done, forced first move included
    std::vector<double> log_probs;    ///< of each action; 0 for a forced one
    double cost = 0;
};

/// The best episode per instance. Error if the policy does not accept the instance's observations.
[[nodiscard]] Result<std::vector<Episode>> decode(Policy const& policy, std::span<InstancePtr const> instances,
                                                  DecodeOptions const& options);

/// Every episode of a multi-start decode of one instance, in the order of its start actions (or random starts).
[[nodiscard]] Result<std::vector<Episode>> decode_all_starts(Policy const& policy, InstancePtr const& instance,
                                                             DecodeOptions const& options);

} // namespace cax
