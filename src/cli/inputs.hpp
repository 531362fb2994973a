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

[[nodiscard]] LoadedPolicy load_policy(std::string const& path, PolicyOptions const& options);
/// A policy in a process of its own; its path is the command, and it has no hash.
[[nodiscard]] LoadedPolicy start_policy(std::string const& command);

/// Which instances of a file.
struct InstanceChoice {
    std::vector<std::size_t> places; ///< these, from 0, ascending; empty = all
    std::uint64_t limit = 0;         ///< or the first so many; 0 = all
};

/// All instances of a file for the policy's problem. Fails if the file is for another problem.
[[nodiscard]] io::InstanceFile load_instances(std::string const& path, LoadedPolicy const& policy,
                                              Options const& reader_options);
/// Drops the others and says which places in the file the chosen ones have. Fails if there are not so many, or none.
[[nodiscard]] std::vector<std::size_t> choose_instances(io::InstanceFile& file, InstanceChoice const& choice,
                                                        std::string const& path);
/// Fails if the policy cannot read one of them.
void check_accepted(LoadedPolicy const& policy, io::InstanceFile const& file, std::vector<std::size_t> const& numbers,
                    std::string const& path);

/// Has the policy shown the instances in the units that it knows; the instances' own numbers stay.
struct Fit {
    std::vector<double> scales; ///< what lengths and times are multiplied with, per instance; all 1 = nothing was done
    std::string note;           ///< for the reader; empty if nothing was done
};
Fit fit_instances(io::InstanceFile& file, std::string const& path);

/// Best known costs are worth a comparison only if they belong to these instances: as many, and the file's solutions
/// valid here at the stated costs. `set` names the part of the file, `instances_path` is for the message.
[[nodiscard]] std::vector<io::BestKnown> read_best_known(std::string const& path, std::string const& set,
                                                         std::string const& instances_path,
                                                         std::vector<InstancePtr> const& instances);

/// Of "data/op20.npz": "op20", by which best known costs and policies are called.
[[nodiscard]] std::string stem_of(std::filesystem::path const& file);
/// "4 op instances of size 20". Precondition: there are some.
[[nodiscard]] std::string instances_in_words(std::vector<InstancePtr> const& instances);
/// "50", or "10 sizes from 5x3 to 20x5"-like: what sizes the instances have.
[[nodiscard]] std::string sizes_in_words(std::vector<InstancePtr> const& instances);
/// A sentence if the instances are not of the size that the policy was trained on, else empty.
[[nodiscard]] std::string size_note(LoadedPolicy const& policy, std::vector<InstancePtr> const& instances);

} // namespace cax::cli
