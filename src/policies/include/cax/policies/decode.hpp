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

[[nodiscard]] NameTable<DecodeMode> names_of(DecodeMode);
struct DecodeOptions {
    DecodeMode mode = DecodeMode::greedy;
    std::size_t samples = 100;
    std::size_t starts = 0; ///< multistart: 0 = all of the instance's start actions
    std::uint64_t seed = 0;
    std::size_t threads = 0; ///< 0 = all cores
    /// What the instances are called, in errors and where random numbers are named; empty = by their places.
    std::vector<std::size_t> numbers = {};
    StateOptions state = {.encode = EncodeMode::once};
    Progress progress = {};
};

class OptionTable;
/// --decode, --samples, --encode.
void describe(OptionTable& table, DecodeOptions& options);

/// One way through an instance, without the states in between.
struct Trajectory {
    std::vector<std::size_t> actions; ///< until done, forced first move included
    std::vector<double> log_probs;    ///< of each action; 0 for a forced one
    double cost = 0;
};

/// The best episode per instance. Error if the policy does not accept the instance's observations.
[[nodiscard]] Result<std::vector<Trajectory>> decode(Policy const& policy, std::span<InstancePtr const> instances,
                                                  DecodeOptions const& options);

/// An instance's best episode, judged by the problem's own checker.
struct Solved {
    Trajectory episode;
    Solution solution;
    CheckReport report; ///< its cost is of the solution, in double precision; the episode's is of the states
};
/// decode(), and the check of every solution. Errors of solutions name the instance.
[[nodiscard]] Result<std::vector<Solved>> solve(Policy const& policy, std::span<InstancePtr const> instances,
                                                DecodeOptions const& options);

/// Every episode of a multi-start decode of one instance, in the order of its start actions (or random starts).
[[nodiscard]] Result<std::vector<Trajectory>> decode_all_starts(Policy const& policy, InstancePtr const& instance,
                                                             DecodeOptions const& options);

} // namespace cax
