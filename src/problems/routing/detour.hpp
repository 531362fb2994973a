#pragma once
// How much longer a visit makes the way home.
#include "../member_capabilities.hpp"
#include "state.hpp"

namespace cax::routing {

/// The detour over the node, against going home at once; the way home itself for the depot. Nothing where the way has
/// not begun and would end where it begins.
[[nodiscard]] inline ActionNumbers detour_over(State const& state, std::size_t node) {
    ActionNumbers numbers;
    if (!state.home()) return numbers;
    auto const places = state.instance().places();
    Point const here = places[state.current_node()], end = places[*state.home()];
    double const home = exact_distance(here, end);
    numbers.extra =
        node == state.home() ? home : exact_distance(here, places[node]) + exact_distance(places[node], end) - home;
    return numbers;
}

/// Completions of a problem's Instance `I`; what an action means at once is its detour.
template <class I> class DetourPrices : public MemberCompletions<I> {
public:
    [[nodiscard]] ActionNumbers numbers(cax::State const& state, std::size_t action) const override {
        return detour_over(static_cast<State const&>(state), action);
    }
};

} // namespace cax::routing
