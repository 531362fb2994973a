#pragma once
// A packing as plain data for drawings (presentation.hpp).
#include "state.hpp"

#include "cax/core/json_fwd.hpp"

namespace cax::knapsack {

[[nodiscard]] Json drawn_scene(Instance const& instance);
[[nodiscard]] Json drawn_moment(State const& state, std::span<std::size_t const> actions);
[[nodiscard]] Json drawn_mark(State const& state, std::size_t action);
[[nodiscard]] Json drawn_packing(Instance const& instance, Packing const& packing);

} // namespace cax::knapsack
