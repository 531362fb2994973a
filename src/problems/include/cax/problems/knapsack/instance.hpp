#pragma once
// The knapsack problem with two resources: what is given. Items 0..N-1 have a value, a weight and a volume; those that
// are packed share what there is of both, and their value is maximised.
//
//   JSON    {"name", "max_weight", "max_volume", "items": [{"value", "weight", "volume"}]}
//   arrays  values, weights, volumes (fractions of what there is), max_weight, max_volume
//   text    OR-Library's multidimensional knapsacks (mknap) with two resources
#include "cax/problems/completions.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/table/instance.hpp"

namespace cax::knapsack {

/// Sums of shares may exceed 1 by this: shares are rounded to float32, where 1/3 + 2/3 need not be 1.
inline constexpr double share_tolerance = 1e-5;

struct Data {
    std::string name{};
    std::vector<float> values{};
    std::vector<float> weights{}; ///< as fractions of max_weight
    std::vector<float> volumes{}; ///< as fractions of max_volume
    float max_weight = 1;
    float max_volume = 1;
    bool operator==(Data const&) const = default;
    static auto columns(auto& data) {
        return std::tie(data.values, data.weights, data.volumes, data.max_weight, data.max_volume);
    }
};

/// As an entry of the registry.
[[nodiscard]] Problem const& problem();

class Instance final : public table::InstanceOf<Instance, Data, problem> {
public:
    using InstanceOf::InstanceOf;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] StatePtr reset(StateOptions const& options = {}) const override;
    [[nodiscard]] Result<Solution> solution_of(std::span<std::size_t const> actions) const override;
    [[nodiscard]] CheckReport check(Solution const& solution, DistanceRule rule = DistanceRule::exact) const override;

    [[nodiscard]] LinearProgram relaxation() const;
    [[nodiscard]] std::unique_ptr<LagrangianRelaxation> lagrangian() const;

    [[nodiscard]] Result<DecisionModel> decision_model(Question const& question, Rounding rounding) const;
    [[nodiscard]] CheckReport check_answer(Solution const& solution, Question const& question) const;
    /// Branch and bound: proven if it ends. An iteration is a node.
    [[nodiscard]] Result<SearchResult> search(SearchOptions const& options) const;
    [[nodiscard]] Result<std::vector<Completion>> completions(CompletionRequest const& request) const;
};

} // namespace cax::knapsack
