#pragma once
// Capacitated vehicle routing with time windows: what is given. Vehicles of capacity Q leave the depot (node 0) at time
// 0, serve customers 1..N within their windows (waiting is allowed, service must start before the window closes) and
// return before the depot closes; the total length is minimised and the fleet is unlimited.
//
//   JSON    {"name", "capacity", "depot": {"x", "y", "window"}, "customers": [{"x", "y", "demand", "window",
//           "service"}]}, with demand in the units of the capacity. Windows are integral if all their numbers are.
//   arrays  locs, depot, demand, capacity, durations, time_windows
#include "cax/problems/routing/fleet_instance.hpp"

namespace cax::cvrptw {

using routing::max_nodes;
using routing::Window;
using Data = routing::FleetData;

/// As an entry of the registry.
[[nodiscard]] Problem const& problem();

class Instance final : public routing::InstanceOf<Instance, Data, problem, routing::FleetInstance> {
public:
    using InstanceOf::InstanceOf;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] StatePtr reset(StateOptions const& options = {}) const override;
    [[nodiscard]] ArcProgram arc_program() const;

private:
    [[nodiscard]] CheckReport check_routes(Routes const& routes, DistanceRule rule) const override;
    [[nodiscard]] routing::FleetData fleet() const override { return data_; }
    [[nodiscard]] routing::FleetFamilies families() const override;
};

} // namespace cax::cvrptw
