#pragma once
// The orienteering problem: what is given. One tour leaves the depot (node 0), collects the prizes of the customers it
// visits and is back after at most `max_length`; the collected prize is maximised.
//
// Every number is a float32, because that is what rl4co's environment and the policies compute with.
#include "cax/core/json_fwd.hpp"
#include "cax/problems/distance_table.hpp"
#include "cax/problems/point.hpp"
#include "cax/problems/problem.hpp"

namespace cax::op {

/// Depot included, so node n is row n of everything.
inline constexpr std::size_t max_nodes = 10'000;

struct Data {
    std::string name{};
    std::vector<Point> locs{};  ///< N+1 nodes, the depot first
    std::vector<float> prize{}; ///< N+1; the depot's is 0
    float max_length = 0;       ///< limit on the length of the closed tour
    bool operator==(Data const&) const = default;
};

class Instance final : public cax::Instance {
public:
    /// Validates everything; the error names node, field and value.
    [[nodiscard]] static Result<std::shared_ptr<Instance const>> make(Data data);

    [[nodiscard]] Data const& data() const { return data_; }
    [[nodiscard]] std::size_t nodes() const { return data_.locs.size(); }         ///< N+1
    [[nodiscard]] std::size_t customers() const { return data_.locs.size() - 1; } ///< N
    /// float32 distances from `node` to every node, bit for bit those of rl4co. Precondition: out.size() == nodes().
    void distances_from(std::size_t node, std::span<float> out) const;
    /// rl4co's per-node limit: how long the tour may be on arrival at a node so that the way home still fits.
    [[nodiscard]] std::span<float const> arrival_limits() const { return arrival_limits_; }

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
    static Result<std::shared_ptr<Instance const>> make(Data data, float lowest_prize);

    Data data_;
    std::vector<float> arrival_limits_; ///< N+1
    DistanceTable table_;
};

/// {"name", "max_length", "depot": {"x", "y"}, "customers": [{"x", "y", "prize"}]}.
[[nodiscard]] Result<std::shared_ptr<Instance const>> instance_from_json(Json const& json);

/// rl4co's data set (locs, depot, prize, max_length) of instances of one size, and back.
[[nodiscard]] Result<std::vector<InstancePtr>> instances_from_tensors(NamedTensors const& tensors);
[[nodiscard]] Result<NamedTensors> instances_to_tensors(std::span<InstancePtr const> instances);

} // namespace cax::op
