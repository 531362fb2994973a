#pragma once
// What others made of instances, to compare a policy with.
#include "cax/io/solutions.hpp"

#include <filesystem>

namespace cax::app {

/// Best known costs are worth a comparison only if they belong to these instances: as many, and the file's solutions
/// valid here at the stated costs. `set` names the part of the file, `instances_path` is for the message.
[[nodiscard]] Result<std::vector<io::BestKnown>> read_best_known(std::string const& path, std::string const& set,
                                                                 std::string const& instances_path,
                                                                 std::vector<InstancePtr> const& instances);

/// Of "data/op20.npz": "op20", by which best known costs and policies are called.
[[nodiscard]] std::string stem_of(std::filesystem::path const& file);

} // namespace cax::app
