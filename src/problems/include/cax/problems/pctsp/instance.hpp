#pragma once
// The prize-collecting travelling salesman problem: what is given. A tour from the depot (node 0) collects prizes of at
// least 1 in all; customers that it leaves out cost their penalties. Length plus penalties are minimised.
//
//   JSON    {"name", "depot": {"x", "y"}, "customers": [{"x", "y", "prize", "penalty"}]}
//   arrays  locs, depot, penalty, deterministic_prize, stochastic_prize (may lack: nothing reads it)
#include "cax/problems/pricing.hpp"
#include "cax/problems/routing/tour_instance.hpp"

namespace cax::pctsp {

/// What a tour has to collect, unless it visits everybody.
inline constexpr float prize_required = 1;

struct Data {
    std::string name{};
    std::vector<Point> locs{};    ///< N+1 nodes, the depot first
    std::vector<float> prize{};   ///< N customers: customer i has prize[i-1]
    std::vector<float> penalty{}; ///< N+1, 0 at the depot
    bool operator==(Data const&) const = default;
    static auto columns(auto& data) { return std::tie(data.locs, data.prize, data.penalty); }
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

} // namespace cax::pctsp
