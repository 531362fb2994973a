#pragma once
// What subcommands read: a policy file and an instance file that belong together.
#include "cax/io/instances.hpp"
#include "cax/io/solutions.hpp"
#include "cax/policies/policy.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace cax::cli {

struct LoadedPolicy {
    std::string path;
    std::string sha256;
    std::unique_ptr<Policy> policy;
    Problem const* problem = nullptr;
};

[[nodiscard]] Result<LoadedPolicy> load_policy(std::string const& path, PolicyOptions const& options);

/// The first `limit` instances (0 = all) of a file for the policy's problem. Error if the file is for another problem
/// or the policy cannot read them.
[[nodiscard]] Result<io::InstanceFile> load_instances(std::string const& path, LoadedPolicy const& policy,
                                                      Options const& reader_options, std::size_t limit);

/// Best known costs are worth a comparison only if they belong to these instances: as many, and the file's solutions
/// valid here at the stated costs. `set` names the part of the file, `instances_path` is for the message.
[[nodiscard]] Result<std::vector<io::BestKnown>> read_best_known(std::string const& path, std::string const& set,
                                                                 std::string const& instances_path,
                                                                 std::vector<InstancePtr> const& instances);

/// "50", or "10 sizes from 5x3 to 20x5"-like: what sizes the instances have.
[[nodiscard]] std::string sizes_in_words(std::vector<InstancePtr> const& instances);
/// A sentence if the instances are not of the size that the policy was trained on, else empty.
[[nodiscard]] std::string size_note(LoadedPolicy const& policy, std::vector<InstancePtr> const& instances);

} // namespace cax::cli
