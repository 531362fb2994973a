#pragma once
// Random instances with the distribution of rl4co's FJSP generator (its numbers, not its random stream).
#include "cax/problems/fjsp/instance.hpp"

namespace cax::fjsp {

inline constexpr std::size_t generator_option_count = 6;
extern std::pair<std::string_view, std::string_view> const generator_options[generator_option_count];

/// `size` is "JxM". Draws job by job and operation by operation. Padded to J * max-ops operations.
[[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng);

} // namespace cax::fjsp
