#pragma once
// TSPTW as an entry of the registry.
#include "../routing/problem.hpp"

namespace cax::tsptw {

[[nodiscard]] routing::Problem const& problem();
[[nodiscard]] std::span<TextFormat const> text_formats();
[[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng);

} // namespace cax::tsptw
