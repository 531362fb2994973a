#pragma once
// Containers of named arrays: safetensors (policies, golden traces) and npz (rl4co data sets). The parse functions take
// bytes from anywhere and survive anything; the read functions add the path to the error.
#include "cax/core/result.hpp"
#include "cax/core/tensor.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace cax::io {

/// By its first bytes; the rest may be missing or damaged.
[[nodiscard]] bool looks_like_safetensors(std::span<std::byte const> bytes);
[[nodiscard]] Result<TensorFile> parse_safetensors(std::span<std::byte const> bytes);
[[nodiscard]] Result<TensorFile> read_safetensors(std::filesystem::path const& path);
[[nodiscard]] std::vector<std::byte> format_safetensors(TensorFile const& file);
[[nodiscard]] Result<void> write_safetensors(std::filesystem::path const& path, TensorFile const& file);

/// Stored and deflated members; .npy versions 1 to 3, C order, little-endian f2 f4 f8 i4 i8 u1 b1.
[[nodiscard]] Result<NamedTensors> parse_npz(std::span<std::byte const> bytes);
[[nodiscard]] Result<NamedTensors> read_npz(std::filesystem::path const& path);
[[nodiscard]] std::vector<std::byte> format_npz(NamedTensors const& tensors, bool deflate = false);

} // namespace cax::io
