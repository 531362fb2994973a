#pragma once
// Whole files in and out. Every error names the path.
#include "cax/core/result.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cax::io {

/// A regular file of at most 4 GiB, or a pipe (then at most 256 MiB): devices are refused, they may never end.
[[nodiscard]] Result<std::vector<std::byte>> read_bytes(std::filesystem::path const& path);
[[nodiscard]] Result<std::string> read_text(std::filesystem::path const& path);
/// Writes beside the target and renames: the file is whole or untouched.
[[nodiscard]] Result<void> write_bytes(std::filesystem::path const& path, std::span<std::byte const> bytes);
[[nodiscard]] Result<void> write_text(std::filesystem::path const& path, std::string_view text);

/// What of writing can be foreseen: the folder is there and may be written to, and `path` is no folder itself. So that
/// nobody computes for an hour and then hears it.
[[nodiscard]] Result<void> check_writable(std::filesystem::path const& path);
/// Do both paths lead to one file, whatever they are called (links, hard links, "./")? Also before it exists.
[[nodiscard]] bool same_file(std::filesystem::path const& a, std::filesystem::path const& b);

} // namespace cax::io
