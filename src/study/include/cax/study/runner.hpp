#pragma once
// Runs the decisions of a study that its store does not have yet, on all cores, and writes each as soon as it is done.
// Results depend on settings and policies alone: not on threads, shards, the order of work or interruptions. What a
// primitive refuses to compute becomes a decision that says so; only a store that cannot be written ends the run.
#include "cax/core/progress.hpp"
#include "cax/core/result.hpp"
#include "cax/policies/policy.hpp"
#include "cax/study/settings.hpp"
#include "cax/study/store.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace cax::study {

/// A policy with the entry of the store's header that stands for it.
struct StudyPolicy {
    PolicyEntry entry;
    Policy const* policy = nullptr;
    Problem const* problem = nullptr;
    std::vector<InstancePtr> instances = {}; ///< one's own; empty = generated
};

struct RunOptions {
    std::size_t threads = 0;    ///< tasks at a time; 0 = all cores
    std::size_t first_task = 0; ///< where to begin: a second process on the same store had better begin elsewhere
    Progress progress = {};     ///< counts the decisions that were missing
};

struct RunReport {
    std::size_t computed = 0; ///< decisions
    std::size_t failed = 0;   ///< of them, decisions that only say why there is no result
};

/// `policies` in the order of store.header().policies. Error if the store cannot be written or an instance cannot be
/// made.
[[nodiscard]] Result<RunReport> run(Store& store, Settings const& settings, std::span<StudyPolicy const> policies,
                                    RunOptions const& options = {});

/// The seed with which `cax generate` makes the instances of a policy.
[[nodiscard]] std::uint64_t instance_seed(Settings const& settings, std::size_t policy_seed);

/// Cells of stores that were run as shards of one study, in one new store. Error if they are of different studies, or
/// a shard or a decision is missing or there twice.
[[nodiscard]] Result<void> merge(std::span<Store const* const> shards, Settings const& settings, Store& into);
/// The same for the stores in these files, into a new file. A merge that is refused leaves nothing.
[[nodiscard]] Result<void> merge_files(std::span<std::string const> shards, std::filesystem::path const& into);

/// Tells policies of one problem apart (PolicyEntry::seed): by the number at the end of their names ("op-20-s1") if
/// that does it for all, else by their order.
void number_policies(std::vector<StudyPolicy>& policies);

} // namespace cax::study
