#pragma once
// What problem.cpp is made of.
#include "../table/problem.hpp"

namespace cax::knapsack {

[[nodiscard]] std::span<TextFormat const> text_formats();
[[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng);
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> generator_options();

} // namespace cax::knapsack
