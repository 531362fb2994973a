#pragma once
// Capacitated vehicle routing with time windows: what is given. Vehicles of capacity Q leave the depot (node 0) at time
// 0, serve customers 1..N within their windows (waiting is allowed, service must start before the window closes) and
// return before the depot closes; the total length is minimised and the fleet is unlimited.
//
//   JSON    {"name", "capacity", "depot": {"x", "y", "window"}, "customers": [{"x", "y", "demand", "window",
//           "service"}]}, with demand in the units of the capacity. Windows are integral if all their numbers are.
//   arrays  locs, depot, demand, capacity, durations, time_windows
#include "cax/problems/completions.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/routing/fleet_data.hpp"
#include "cax/problems/routing/instance.hpp"

namespace cax::cvrptw {

using routing::max_nodes;
using Window = routing::Window;
using Data = routing::FleetData;

class Instance final : public routing::Instance {
public:
    /// Validates everything; the error names node, field and value.
    [[nodiscard]] static Result<std::shared_ptr<Instance const>> make(Data data);
    /// Precondition: valid numbers.
    explicit Instance(routing::Numbers numbers);

    [[nodiscard]] Data const& data() const { return data_; }

    [[nodiscard]] Problem const& problem() const override;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] StatePtr reset(StateOptions const& options = {}) const override;

    [[nodiscard]] ArcProgram arc_program() const;
    [[nodiscard]] std::unique_ptr<LagrangianRelaxation> lagrangian() const;
    [[nodiscard]] Result<SearchResult> search(SearchOptions const& options) const;
    [[nodiscard]] Result<DecisionModel> decision_model(Question const& question, Rounding rounding) const;
    [[nodiscard]] CheckReport check_answer(Solution const& solution, Question const& question) const;
    [[nodiscard]] Result<std::vector<Completion>> completions(CompletionRequest const& request) const;

private:
    [[nodiscard]] CheckReport check_routes(Routes const& routes, DistanceRule rule) const override;

    Data data_;
};

} // namespace cax::cvrptw
