#pragma once
// Random instances with the distribution of rl4co's OP generator (its numbers, not its random stream).
#include "cax/problems/op/instance.hpp"

namespace cax::op {

inline constexpr std::size_t generator_option_count = 2;
extern std::pair<std::string_view, std::string_view> const generator_options[generator_option_count];

/// `size` is the number of customers. Draws in a fixed order: depot, customers, prizes.
[[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng);

} // namespace cax::op
