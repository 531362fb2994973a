#pragma once
// One numpy array: the .npy format, versions 1 to 3.
#include "cax/core/result.hpp"
#include "cax/core/tensor.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace cax::io {

/// Takes the whole file and keeps its memory.
[[nodiscard]] Result<Tensor> parse_npy(std::vector<std::byte> bytes);
/// Version 1. bf16, which numpy does not know, is widened to f32.
[[nodiscard]] std::vector<std::byte> format_npy(Tensor const& tensor);

} // namespace cax::io
