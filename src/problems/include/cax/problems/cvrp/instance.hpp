#pragma once
// Capacitated vehicle routing: what is given. Vehicles of capacity Q leave the depot (node 0) and serve customers 1..N,
// each by one of them; the total length is minimised and the fleet is unlimited.
//
//   JSON    {"name", "capacity", "depot": {"x", "y"}, "customers": [{"x", "y", "demand"}]}, with demand in the units of
//           the capacity
//   arrays  locs, depot, demand, capacity
//   text    VRPLIB with EDGE_WEIGHT_TYPE EUC_2D
#include "cax/problems/completions.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/routing/fleet_data.hpp"
#include "cax/problems/routing/instance.hpp"

namespace cax::cvrp {

struct Data {
    std::string name{};
    float capacity = 1;          ///< Q, in the file's units; the policies see the vehicle as capacity 1
    std::vector<Point> locs{};   ///< N+1 nodes, the depot first
    std::vector<float> demand{}; ///< N customers, as a fraction of Q: customer i has demand[i-1]
    bool operator==(Data const&) const = default;
};

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
    /// The same fleet, with a day that is long enough for everything.
    [[nodiscard]] routing::FleetData fleet() const;

    Data data_;
};

} // namespace cax::cvrp
