#pragma once
// CVRPTW as an entry of the registry.
#include "../routing/problem.hpp"

namespace cax::cvrptw {

[[nodiscard]] routing::Problem const& problem();

[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> generator_options();
/// `size` is the number of customers.
[[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng);

[[nodiscard]] std::span<TextFormat const> text_formats();

} // namespace cax::cvrptw
