#pragma once
// The named rules: which families there are, how tight each is for an action, and which feature values cannot belong to
// any instance.
#include "state.hpp"

namespace cax::cvrptw {

/// For a customer: load on arrival against Q (in its units), arrival against the closing of the window. For the depot:
/// arrival against its closing. Space constrains nothing by itself.
[[nodiscard]] std::vector<Slack> slacks_of(State const& state, std::size_t action);
[[nodiscard]] std::string describe(State const& state, std::size_t action);
/// The arithmetic envelope: finite coordinates, demand >= 0, open <= close, durations >= 0, total demand <= N.
[[nodiscard]] std::optional<std::string> envelope_violation(Features const& features);

} // namespace cax::cvrptw
