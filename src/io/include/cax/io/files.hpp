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

[[nodiscard]] Result<std::vector<std::byte>> read_bytes(std::filesystem::path const& path);
[[nodiscard]] Result<std::string> read_text(std::filesystem::path const& path);
/// Writes beside the target and renames: the file is whole or untouched.
[[nodiscard]] Result<void> write_bytes(std::filesystem::path const& path, std::span<std::byte const> bytes);
[[nodiscard]] Result<void> write_text(std::filesystem::path const& path, std::string_view text);

} // namespace cax::io
