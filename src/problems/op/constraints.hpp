#pragma once
// The named rules: which families there are, how tight each is for an action, and which feature values cannot belong to
// any instance.
#include "state.hpp"

namespace cax::op {

/// The length of the tour if it goes on to `action` and then home, against the limit.
[[nodiscard]] std::vector<Slack> slacks_of(State const& state, std::size_t action);
[[nodiscard]] std::string describe(State const& state, std::size_t action);
/// The arithmetic envelope: finite coordinates, prize >= -0.01, max_length of the depot positive and, but for 0.001,
/// enough to visit the nearest customer and come back.
[[nodiscard]] std::optional<std::string> envelope_violation(Features const& features);

} // namespace cax::op
