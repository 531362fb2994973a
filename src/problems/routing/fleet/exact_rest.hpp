#pragma once
// The shortest way to serve the last few customers, by dynamic programming over sets of them: first the shortest
// feasible route through every set, for a fresh vehicle and for the one that is under way, then the cheapest way to
// share all customers out among routes. Windows and loads have the tolerances of the checkers, so that what is proved
// is about everything that they accept.
#include "fleet.hpp"

namespace cax::routing {

/// More customers than this are not tried: the sharing out takes 3^n steps.
inline constexpr std::size_t max_exact_rest = 12;

struct ExactRest {
    std::optional<Routes> routes; ///< the one under way first, if there is one; nothing if there is no way to serve all
    bool complete = false;        ///< the work was enough: nothing is shorter
    std::uint64_t work = 0;       ///< partial routes kept and sets compared
};

/// `head`: customers that the vehicle under way has visited, in order; empty = there is none. Precondition: at most
/// max_exact_rest are left.
[[nodiscard]] ExactRest serve_rest(FleetData const& data, std::vector<std::size_t> const& head,
                                   std::vector<std::size_t> const& left, std::uint64_t work);

} // namespace cax::routing
