#pragma once
// One numpy array: the .npy format, versions 1 to 3.
#include "cax/core/result.hpp"
#include "cax/core/tensor.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace cax::io {

[[nodiscard]] Result<Tensor> parse_npy(std::span<std::byte const> bytes);
/// Version 1. bf16, which numpy does not know, is widened to f32.
[[nodiscard]] std::vector<std::byte> format_npy(Tensor const& tensor);

} // namespace cax::io
