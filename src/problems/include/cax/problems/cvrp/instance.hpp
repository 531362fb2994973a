#pragma once
// Capacitated vehicle routing: what is given. Vehicles of capacity Q leave the depot (node 0) and serve customers 1..N,
// each by one of them; the total length is minimised and the fleet is unlimited.
//
//   JSON    {"name", "capacity", "depot": {"x", "y"}, "customers": [{"x", "y", "demand"}]}, with demand in the units of
//           the capacity
//   arrays  locs, depot, demand, capacity
//   text    VRPLIB with EDGE_WEIGHT_TYPE EUC_2D
#include "cax/problems/routing/fleet_instance.hpp"

namespace cax::cvrp {

struct Data {
    std::string name{};
    float capacity = 1;          ///< Q, in the file's units; the policies see the vehicle as capacity 1
    std::vector<Point> locs{};   ///< N+1 nodes, the depot first
    std::vector<float> demand{}; ///< N customers, as a fraction of Q: customer i has demand[i-1]
    bool operator==(Data const&) const = default;
    static auto columns(auto& data) { return std::tie(data.locs, data.demand, data.capacity); }
};

/// As an entry of the registry.
[[nodiscard]] Problem const& problem();

class Instance : public routing::InstanceOf<Instance, Data, problem, routing::FleetInstance> {
public:
    using InstanceOf::InstanceOf;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] StatePtr reset(StateOptions const& options = {}) const override;
    [[nodiscard]] ArcProgram arc_program() const;

protected:
    [[nodiscard]] CheckReport check_routes(Routes const& routes, DistanceRule rule) const override;

private:
    /// The same fleet, with a day that is long enough for everything.
    [[nodiscard]] routing::FleetData fleet() const override;
    [[nodiscard]] routing::FleetFamilies families() const override;
};

} // namespace cax::cvrp
