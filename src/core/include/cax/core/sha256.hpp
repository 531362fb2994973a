#pragma once
// SHA-256, by which results name the policy and the instances they were computed from.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cax {

[[nodiscard]] std::string sha256_hex(std::span<std::byte const> bytes);
[[nodiscard]] std::string sha256_hex(std::string_view text);

} // namespace cax
