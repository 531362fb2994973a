#pragma once
// What the readers of this layer share.
#include "cax/core/result.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace cax::io {

/// A file that is not what its format asks for.
[[nodiscard]] inline Error malformed(std::string message) { return {ErrorCode::file_malformed, std::move(message)}; }

/// Tensors of more dimensions than this are refused.
inline constexpr std::size_t highest_rank = 64;

} // namespace cax::io
