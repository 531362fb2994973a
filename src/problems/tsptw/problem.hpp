#pragma once
// What problem.cpp is made of.
#include "../routing/problem.hpp"

namespace cax::tsptw {

[[nodiscard]] Result<InstancePtr> drawn_instance(std::size_t size, Options const& options, Rng& rng);
[[nodiscard]] std::span<TextFormat const> text_formats();

} // namespace cax::tsptw
