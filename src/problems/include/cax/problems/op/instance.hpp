#pragma once
// The orienteering problem: what is given. One tour leaves the depot (node 0), collects the prizes of the customers it
// visits and is back after at most `max_length`; the collected prize is maximised.
//
//   JSON    {"name", "max_length", "depot": {"x", "y"}, "customers": [{"x", "y", "prize"}]}
//   arrays  locs, depot, prize, max_length
#include "cax/problems/completions.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/routing/instance.hpp"

namespace cax::op {

using routing::max_nodes;

struct Data {
    std::string name{};
    std::vector<Point> locs{};  ///< N+1 nodes, the depot first
    std::vector<float> prize{}; ///< N+1; the depot's is 0
    float max_length = 0;       ///< limit on the length of the closed tour
    bool operator==(Data const&) const = default;
    static auto columns(auto& data) { return std::tie(data.locs, data.prize, data.max_length); }
};

/// As an entry of the registry.
[[nodiscard]] Problem const& problem();

class Instance final : public routing::InstanceOf<Instance, Data, problem, routing::Instance> {
public:
    /// Precondition: valid numbers.
    explicit Instance(routing::Numbers numbers);

    /// rl4co's per-node limit: how long the tour may be on arrival at a node so that the way home still fits.
    [[nodiscard]] std::span<float const> arrival_limits() const { return arrival_limits_; }

    [[nodiscard]] std::string description() const override;
    [[nodiscard]] StatePtr reset(StateOptions const& options = {}) const override;
    /// Empty unless every customer can be the first.
    [[nodiscard]] std::vector<std::size_t> start_actions() const override;
    [[nodiscard]] std::span<float const> spread(std::size_t) const override { return arrival_limits_; }

    [[nodiscard]] ArcProgram arc_program() const;
    [[nodiscard]] std::unique_ptr<LagrangianRelaxation> lagrangian() const;
    [[nodiscard]] Result<SearchResult> search(SearchOptions const& options) const;
    [[nodiscard]] Result<DecisionModel> decision_model(Question const& question, Rounding rounding) const;
    [[nodiscard]] CheckReport check_answer(Solution const& solution, Question const& question) const;
    [[nodiscard]] Result<std::vector<Completion>> completions(CompletionRequest const& request) const;

private:
    [[nodiscard]] CheckReport check_routes(Routes const& routes, DistanceRule rule) const override;

    std::vector<float> arrival_limits_; ///< N+1
};

} // namespace cax::op
