#pragma once
// What a policy makes of instances, judged; and what others made of them.
#include "cax/io/solutions.hpp"
#include "cax/policies/decode.hpp"

#include <filesystem>

namespace cax::app {

/// An instance's episode, judged by the problem's own checker.
struct Solved {
    Trajectory episode;
    Solution solution;
    CheckReport report;
};
/// decode(), and the check of every solution. Errors name the instance.
[[nodiscard]] Result<std::vector<Solved>> solve(Policy const& policy, std::span<InstancePtr const> instances,
                                                DecodeOptions const& options);

/// Best known costs are worth a comparison only if they belong to these instances: as many, and the file's solutions
/// valid here at the stated costs. `set` names the part of the file, `instances_path` is for the message.
[[nodiscard]] Result<std::vector<io::BestKnown>> read_best_known(std::string const& path, std::string const& set,
                                                                 std::string const& instances_path,
                                                                 std::vector<InstancePtr> const& instances);

/// Of "data/op20.npz": "op20", by which best known costs and policies are called.
[[nodiscard]] std::string stem_of(std::filesystem::path const& file);

} // namespace cax::app
