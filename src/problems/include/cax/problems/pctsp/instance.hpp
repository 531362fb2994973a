#pragma once
// The prize-collecting travelling salesman problem: what is given. A tour from the depot (node 0) collects prizes of at
// least 1 in all; customers that it leaves out cost their penalties. Length plus penalties are minimised.
//
//   JSON    {"name", "depot": {"x", "y"}, "customers": [{"x", "y", "prize", "penalty"}]}
//   arrays  locs, depot, penalty, deterministic_prize, stochastic_prize (may lack: nothing reads it)
#include "cax/problems/completions.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/routing/instance.hpp"

namespace cax::pctsp {

/// What a tour has to collect, unless it visits everybody.
inline constexpr float prize_required = 1;

struct Data {
    std::string name{};
    std::vector<Point> locs{};    ///< N+1 nodes, the depot first
    std::vector<float> prize{};   ///< N customers: customer i has prize[i-1]
    std::vector<float> penalty{}; ///< N+1, 0 at the depot
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
    [[nodiscard]] Result<SearchResult> search(SearchOptions const& options) const;
    [[nodiscard]] Result<DecisionModel> decision_model(Question const& question, Rounding rounding) const;
    [[nodiscard]] CheckReport check_answer(Solution const& solution, Question const& question) const;
    [[nodiscard]] Result<std::vector<Completion>> completions(CompletionRequest const& request) const;

private:
    [[nodiscard]] CheckReport check_routes(Routes const& routes, DistanceRule rule) const override;

    Data data_;
};

} // namespace cax::pctsp
