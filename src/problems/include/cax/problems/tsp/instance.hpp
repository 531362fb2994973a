#pragma once
// The travelling salesman problem: what is given. A closed tour visits every city 0..N-1 once; its length is minimised.
// There is no depot: the first action is where the tour begins.
//
//   JSON    {"name", "cities": [{"x", "y"}]}
//   arrays  locs
//   text    TSPLIB with EDGE_WEIGHT_TYPE EUC_2D; city k of the file is city k - 1
#include "cax/problems/pricing.hpp"
#include "cax/problems/routing/tour_instance.hpp"

namespace cax::tsp {

struct Data {
    std::string name{};
    std::vector<Point> locs{};
    bool operator==(Data const&) const = default;
    static auto columns(auto& data) { return std::tie(data.locs); }
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

} // namespace cax::tsp
