#pragma once
// Instance files of every kind: ours (.json, "cax/instances/1"), rl4co's (.npz), and the text formats that the problems
// know (Solomon, OPLib, .fjs). The kind is recognised by content, not by name.
#include "cax/core/result.hpp"
#include "cax/problems/problem.hpp"

#include <filesystem>
#include <vector>

namespace cax::io {

struct InstanceFile {
    Problem const* problem = nullptr;
    std::string format; ///< "json", "npz", "solomon", "oplib", "fjs"
    std::vector<InstancePtr> instances;
    std::string sha256; ///< of the file's bytes
};

/// `problem` may be null: then the content decides. `options` go to the text reader.
[[nodiscard]] Result<InstanceFile> parse_instances(std::span<std::byte const> bytes, Problem const* problem = nullptr,
                                                   Options const& options = {});
[[nodiscard]] Result<InstanceFile> read_instances(std::filesystem::path const& path, Problem const* problem = nullptr,
                                                  Options const& options = {});
/// By extension: .json, .npz, or the extension of one of the problem's text formats (exactly one instance).
[[nodiscard]] Result<void> write_instances(std::filesystem::path const& path, std::span<InstancePtr const> instances);

} // namespace cax::io
