#pragma once
// Ruin and recreate under simulated annealing: the engine of every search for short routes.
#include "ruin_recreate.hpp"

#include "cax/problems/search.hpp"

namespace cax::routing {

// Temperatures at the beginning, as a multiple of the length per customer.
inline constexpr double hot = 1;
inline constexpr double warm = 0.1; ///< if there is a first solution: it is not to be forgotten

struct Annealed {
    Routes routes;
    std::uint64_t iterations = 0;
};

/// The shortest plan met on the way from `current`, which is one of them. Of the options only the budget and the seed
/// count. Precondition: nobody is absent.
[[nodiscard]] Annealed shortest(Network const& network, Plan current, SearchOptions const& options, double beginning);

} // namespace cax::routing
