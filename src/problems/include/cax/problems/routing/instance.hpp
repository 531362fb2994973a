#pragma once
// What the instances of all routing problems have in common: nodes in the plane, node 0 the depot, action = next node,
// and numbers that stand in a table of fields, of which column 0 holds the places.
#include "cax/problems/routing/distance_table.hpp"
#include "cax/problems/table/instance.hpp"

namespace cax::routing {

using table::max_nodes;
using table::Numbers;
using table::Shown;
using table::to_pairs;

struct Window {
    float open = 0;
    float close = 0;
    bool operator==(Window const&) const = default;
};

class Instance : public table::Instance {
public:
    [[nodiscard]] std::span<Point const> places() const { return places_; }
    [[nodiscard]] std::size_t customers() const { return nodes() - 1; } ///< N, where there is a depot
    /// float32 distances from `node` to every node, bit for bit those of rl4co. Precondition: out.size() == nodes().
    void distances_from(std::size_t node, std::span<float> out) const;

    [[nodiscard]] Result<Solution> solution_of(std::span<std::size_t const> actions) const override;
    [[nodiscard]] CheckReport check(Solution const& solution, DistanceRule rule = DistanceRule::exact) const final;

protected:
    /// Precondition: valid numbers.
    explicit Instance(Numbers numbers);
    /// From the definition, in double precision; never calls a state.
    [[nodiscard]] virtual CheckReport check_routes(Routes const& routes, DistanceRule rule) const = 0;

private:
    std::vector<Point> places_;
    DistanceTable table_;
};

/// What the Instance `I` of every routing problem has. `Base` is what solvers see of it: TourInstance, FleetInstance,
/// or Instance for a problem with methods of its own.
template <class I, class Data, cax::Problem const& (*problem_of_it)(), class Base>
using InstanceOf = table::InstanceOf<I, Data, problem_of_it, Base>;

} // namespace cax::routing
