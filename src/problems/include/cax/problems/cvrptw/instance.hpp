#pragma once
// Capacitated vehicle routing with time windows: what is given. Vehicles of capacity Q leave the depot (node 0) at time
// 0, serve customers 1..N within their windows (waiting is allowed, service must start before the window closes) and
// return before the depot closes; the total length is minimised and the fleet is unlimited.
//
// Every number is a float32, because that is what rl4co's environment and the policies compute with.
#include "cax/core/json_fwd.hpp"
#include "cax/problems/distance_table.hpp"
#include "cax/problems/point.hpp"
#include "cax/problems/problem.hpp"

namespace cax::cvrptw {

/// Depot included, so node n is row n of everything but `demand`.
inline constexpr std::size_t max_nodes = 10'000;

struct Window {
    float open = 0;
    float close = 0;
    bool operator==(Window const&) const = default;
};

struct Data {
    std::string name{};
    float capacity = 1;                 ///< Q, in the file's units; the policies see the vehicle as capacity 1
    std::vector<Point> locs{};          ///< N+1 nodes, the depot first
    std::vector<float> demand{};        ///< N customers, as a fraction of Q: customer i has demand[i-1]
    std::vector<Window> time_windows{}; ///< N+1
    std::vector<float> durations{};     ///< N+1: service times
    /// Windows are whole numbers and stay so (rl4co's int32): the published code truncates perturbed ones.
    bool integral_windows = false;
    bool operator==(Data const&) const = default;
};

/// Demand of a customer in the units of the capacity: the whole number if that is what the fraction came from.
[[nodiscard]] double demand_in_units(Data const& data, std::size_t customer);

class Instance final : public cax::Instance {
public:
    /// Validates everything; the error names node, field and value.
    [[nodiscard]] static Result<std::shared_ptr<Instance const>> make(Data data);

    [[nodiscard]] Data const& data() const { return data_; }
    [[nodiscard]] std::size_t nodes() const { return data_.locs.size(); }         ///< N+1
    [[nodiscard]] std::size_t customers() const { return data_.locs.size() - 1; } ///< N
    /// float32 distances from `node` to every node, bit for bit those of rl4co. Precondition: out.size() == nodes().
    void distances_from(std::size_t node, std::span<float> out) const;

    [[nodiscard]] Problem const& problem() const override;
    [[nodiscard]] std::string name() const override { return data_.name; }
    [[nodiscard]] std::string size() const override;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] Json to_json() const override;
    [[nodiscard]] StatePtr reset(StateOptions const& options = {}) const override;
    [[nodiscard]] std::vector<std::size_t> start_actions() const override;
    [[nodiscard]] Result<Solution> solution_of(std::span<std::size_t const> actions) const override;
    [[nodiscard]] CheckReport check(Solution const& solution, DistanceRule rule = DistanceRule::exact) const override;
    [[nodiscard]] Json solution_to_json(Solution const& solution) const override;
    [[nodiscard]] Result<Solution> solution_from_json(Json const& json) const override;
    [[nodiscard]] Result<InstancePtr> changed(Features const& change,
                                              ChangeKind kind = ChangeKind::features) const override;
    [[nodiscard]] std::vector<std::vector<std::uint8_t>>
    adjustable(ChangeKind kind = ChangeKind::features) const override;
    [[nodiscard]] TensorUnits units(std::size_t tensor) const override;
    [[nodiscard]] std::string describe_entry(std::size_t tensor, std::size_t index) const override;
    [[nodiscard]] Result<SearchResult> search(SearchOptions const& options) const override;
    [[nodiscard]] Result<DecisionModel> decision_model(Question const& question, Rounding rounding) const override;
    [[nodiscard]] CheckReport check_answer(Solution const& solution, Question const& question) const override;
    [[nodiscard]] Result<LinearProgram> relaxation() const override;
    [[nodiscard]] std::unique_ptr<LagrangianRelaxation> lagrangian() const override;

private:
    explicit Instance(Data data);

    Data data_;
    DistanceTable table_;
};

/// {"name", "capacity", "depot": {"x", "y", "window"}, "customers": [{"x", "y", "demand", "window", "service"}]}, with
/// demand in the units of the capacity. Windows are integral if all their numbers are JSON integers.
[[nodiscard]] Result<std::shared_ptr<Instance const>> instance_from_json(Json const& json);

/// rl4co's data set (locs, depot, demand, capacity, durations, time_windows) of instances of one size, and back.
[[nodiscard]] Result<std::vector<InstancePtr>> instances_from_tensors(NamedTensors const& tensors);
[[nodiscard]] Result<NamedTensors> instances_to_tensors(std::span<InstancePtr const> instances);

} // namespace cax::cvrptw
