#pragma once
// What can be asked of a fleet of equal vehicles: good routes, and whether K vehicles suffice. For all problems whose
// numbers can be written as FleetData.
#include "../prefix.hpp"

#include "cax/problems/routing/fleet_instance.hpp"

#include <functional>
#include <limits>

namespace cax::routing {

/// How far a vehicle may be overloaded, as a part of its capacity: rl4co's environments let it be 1e-5, and their sums
/// in single precision stray by less than 1e-6. One rule for the checkers, the models and the search.
inline constexpr double load_tolerance = 1.1e-5;
/// How late a vehicle may be, as a part of the time at which it arrives: a policy drives by a clock in single
/// precision, which strays from the exact one by some 1e-7 of what it shows, and what it was allowed to do must not be
/// called late. Windows that this route never comes near do not matter. The search keeps windows exactly.
inline constexpr double time_tolerance = 1e-6;

/// Demand of a customer in the units of the capacity: the whole number if that is what the fraction came from.
[[nodiscard]] double demand_in_units(FleetData const& data, std::size_t customer);

/// rl4co's vehicle capacity by number of customers; sizes in between take the nearest entry, the smaller on ties.
[[nodiscard]] double default_capacity(std::size_t customers);

/// What lengths may exceed a bound by, relative: the rounding of a sum.
inline constexpr double length_tolerance = 1e-9;

/// A vehicle after a route's customers, by the exact clock.
struct Vehicle {
    std::size_t node = 0;
    double time = 0; ///< ready to leave
    double load = 0;
    double length = 0;
    double lateness = 0; ///< the worst one: after a window closed, or home (if it went there now) after the depot did
    double overload = 0;
};

/// What breaks no rule yet. Strict: no lateness at all. Loose: twice what a checker overlooks, so that nothing it
/// accepts is called impossible.
struct Tolerances {
    double time = 0; ///< as a part of the arrival
    double load = 0; ///< as a part of the capacity
};
[[nodiscard]] Tolerances tolerances(Rounding rounding);

/// Lateness and overload are what is left of them after the tolerances.
[[nodiscard]] Vehicle drive(FleetData const& data, std::span<std::size_t const> customers, Tolerances const& slack);

// The shortest routes for some customers, proven (exact_rest.cpp).
/// More customers than this are not tried: there is a number for each of their sets.
inline constexpr std::size_t max_exact_customers = 20;
/// For one answer of many: without a good solution to begin with the sharing out takes 3^n steps.
inline constexpr std::size_t max_exact_rest = 12;

struct RestOptions {
    std::uint64_t work = 0; ///< partial routes kept and routes compared, at most
    std::uint64_t room = std::numeric_limits<std::uint64_t>::max(); ///< partial routes of them: memory
    /// The length of what is known: nothing longer is looked for.
    double upper = std::numeric_limits<double>::infinity();
    std::function<bool()> stop{}; ///< asked now and then; true ends it
};

struct ExactRest {
    std::optional<Routes> routes; ///< the one under way first, if there is one; nothing if there is no way to serve all
    bool complete = false;        ///< the work was enough: nothing is shorter
    std::uint64_t work = 0;
};

/// `head`: customers that the vehicle under way has visited, in order; empty = there is none. Precondition: at most
/// max_exact_customers are left.
[[nodiscard]] ExactRest serve_rest(FleetData const& data, std::vector<std::size_t> const& head,
                                   std::vector<std::size_t> const& left, RestOptions const& options);

} // namespace cax::routing
