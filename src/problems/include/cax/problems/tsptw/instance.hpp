#pragma once
// The travelling salesman problem with time windows: what is given. A closed tour leaves the depot (node 0) at time 0
// and visits every customer 1..N-1 before its window closes, waiting where it has not opened; the length is minimised.
// There may be no such tour. Distances are times.
//
//   JSON    {"name", "depot": {"x", "y", "window": [0, close]}, "customers": [{"x", "y", "window": [open, close]}]}
//   arrays  locs, time_windows, the depot among both
//   text    rows of number, x, y, demand, ready, due, service, the depot first (Dumas and others)
#include "cax/problems/pricing.hpp"
#include "cax/problems/routing/tour_instance.hpp"

namespace cax::tsptw {

using routing::Window;

struct Data {
    std::string name{};
    std::vector<Point> locs{};          ///< N nodes, the depot first
    std::vector<Window> time_windows{}; ///< N; the depot's close is the unit in which policies see the others
    bool whole_windows = false;         ///< they are whole numbers and stay so
    bool operator==(Data const&) const = default;
    static auto columns(auto& data) { return std::tie(data.locs, data.time_windows, data.whole_windows); }
};

/// As an entry of the registry.
[[nodiscard]] Problem const& problem();

class Instance final : public routing::InstanceOf<Instance, Data, problem, routing::TourInstance> {
public:
    using InstanceOf::InstanceOf;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] StatePtr reset(StateOptions const& options = {}) const override;
    [[nodiscard]] ArcProgram arc_program() const;

private:
    [[nodiscard]] CheckReport check_routes(Routes const& routes, DistanceRule rule) const override;
    [[nodiscard]] routing::TourData tour() const override;
};

} // namespace cax::tsptw
