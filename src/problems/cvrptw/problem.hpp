#pragma once
// What problem.cpp is made of.
#include "../routing/problem.hpp"

namespace cax::cvrptw {

[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> generator_options();
[[nodiscard]] Result<InstancePtr> drawn_instance(std::size_t size, Options const& options, Rng& rng);
[[nodiscard]] std::span<TextFormat const> text_formats();

} // namespace cax::cvrptw
