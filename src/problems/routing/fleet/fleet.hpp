#pragma once
// What can be asked of a fleet of equal vehicles: good routes, and whether K vehicles suffice. For all problems whose
// numbers can be written as FleetData.
#include "../prefix.hpp"

#include "cax/problems/completions.hpp"
#include "cax/problems/lagrangian.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/routing/fleet_data.hpp"

namespace cax::routing {

/// How far a vehicle may be overloaded, as a part of its capacity: rl4co's environments let it be 1e-5, and their sums
/// in single precision stray by less than 1e-6. One rule for the checkers, the models and the search.
inline constexpr double load_tolerance = 1.1e-5;
/// How late a vehicle may be, as a part of the time at which it arrives: a policy drives by a clock in single
/// precision, which strays from the exact one by some 1e-7 of what it shows, and what it was allowed to do must not be
/// called late. Windows that this route never comes near do not matter. The search keeps windows exactly.
inline constexpr double time_tolerance = 1e-6;

/// Which families a problem's capacities, windows and visits belong to (no_family where it has none).
struct FleetFamilies {
    std::size_t capacity;
    std::size_t time_window;
    std::size_t spatial;
    /// A problem without a family for them has no clocks.
    [[nodiscard]] bool timed() const { return time_window != no_family; }
};

/// Demand of a customer in the units of the capacity: the whole number if that is what the fraction came from.
[[nodiscard]] double demand_in_units(FleetData const& data, std::size_t customer);

/// rl4co's vehicle capacity by number of customers; sizes in between take the nearest entry, the smaller on ties.
[[nodiscard]] double default_capacity(std::size_t customers);

/// The Lagrangian relaxation behind the paper's negative control: a nearest-neighbour tour on which late arrivals and
/// overloads cost lambda per unit.
[[nodiscard]] std::unique_ptr<LagrangianRelaxation> soft_tour(FleetData data, FleetFamilies const& families);

/// Good routes by classical means; with a bound on the fleet, any plan with that few vehicles. Checked by the instance.
[[nodiscard]] Result<SearchResult> search_routes(Instance const& instance, FleetData const& data,
                                                 SearchOptions const& options);

/// Short routes that begin like this and go on with each of the actions: exact where few customers are left, else by
/// the search with the beginning held fixed. Checked by the instance.
[[nodiscard]] Result<std::vector<Completion>> complete_routes(Instance const& instance, FleetData const& data,
                                                              CompletionRequest const& request);

/// What lengths may exceed a bound by, relative: the rounding of a sum.
inline constexpr double length_tolerance = 1e-9;

/// Can K vehicles serve everybody, beginning like this, and within a length if that is asked for?
[[nodiscard]] Result<DecisionModel> fleet_model(Instance const& instance, FleetData const& data,
                                                FleetFamilies const& families, Question const& question,
                                                Rounding rounding);

/// Do routes answer the question? From the definition; shares nothing with the decision model.
[[nodiscard]] CheckReport check_fleet_answer(Instance const& instance, Solution const& solution,
                                             Question const& question);

/// Every customer exactly once, and nothing else: what is wrong with it, for a problem's checker.
void check_visits(std::size_t nodes, Routes const& solution, std::vector<std::string>& violations);

} // namespace cax::routing
