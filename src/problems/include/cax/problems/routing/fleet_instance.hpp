#pragma once
// Instances in which vehicles of one capacity serve customers within time windows: what solvers are asked of them
// (src/problems/routing/fleet). Problems without clocks are the special case whose windows never close.
#include "cax/core/matrix.hpp"
#include "cax/problems/completions.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/routing/instance.hpp"
#include "cax/problems/routing/leg.hpp"
#include "cax/problems/vehicle_model.hpp"

namespace cax::routing {

struct FleetData {
    std::string name{};
    float capacity = 1;                 ///< Q, in the file's units; the policies see the vehicle as capacity 1
    std::vector<Point> locs{};          ///< N+1 nodes, the depot first
    std::vector<float> demand{};        ///< N customers, as a fraction of Q: customer i has demand[i-1]
    std::vector<Window> time_windows{}; ///< N+1
    std::vector<float> durations{};     ///< N+1: service times
    bool integral_windows = false;      ///< see Numbers::whole_pairs
    LegRule rule = closed_routes;       ///< of the problem, not of the file
    bool operator==(FleetData const&) const = default;

    /// What driving from one node to another costs and takes: all that solvers know of ways.
    [[nodiscard]] double leg(std::size_t from, std::size_t to) const;
    [[nodiscard]] Matrix<double> legs() const; ///< all of them
    /// The same fleet for these nodes alone, the depot first.
    [[nodiscard]] FleetData part(std::span<std::size_t const> nodes) const;
    static auto columns(auto& data) {
        return std::tie(data.locs, data.demand, data.time_windows, data.durations, data.capacity,
                        data.integral_windows);
    }
};

/// Which families a problem's capacities, windows and visits belong to (no_family where it has none).
struct FleetFamilies {
    std::size_t capacity;
    std::size_t time_window;
    std::size_t spatial;
    /// A problem without a family for them has no clocks.
    [[nodiscard]] bool timed() const { return time_window != no_family; }
};

class FleetInstance : public Instance {
public:
    [[nodiscard]] std::unique_ptr<LagrangianRelaxation> lagrangian() const;
    [[nodiscard]] Result<SearchResult> search(SearchOptions const& options) const;
    [[nodiscard]] Result<DecisionModel> decision_model(Question const& question, Rounding rounding) const;
    [[nodiscard]] CheckReport check_answer(Solution const& solution, Question const& question) const;
    [[nodiscard]] Result<std::vector<Completion>> completions(CompletionRequest const& request) const;
    /// Nothing where vehicles do not come home.
    [[nodiscard]] std::optional<VehicleModel> vehicle_model() const;

protected:
    using Instance::Instance;
    [[nodiscard]] virtual FleetData fleet() const = 0;
    /// The same with the legs of its problem: what solvers are given.
    [[nodiscard]] FleetData fleet_to_solve() const;
    [[nodiscard]] virtual FleetFamilies families() const = 0;
};

} // namespace cax::routing
