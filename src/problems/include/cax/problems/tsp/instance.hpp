#pragma once
// The travelling salesman problem: what is given. A closed tour visits every city 0..N-1 once; its length is minimised.
// There is no depot: the first action is where the tour begins.
//
//   JSON    {"name", "cities": [{"x", "y"}]}
//   arrays  locs
//   text    TSPLIB with EDGE_WEIGHT_TYPE EUC_2D; city k of the file is city k - 1
#include "cax/problems/completions.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/routing/instance.hpp"

namespace cax::tsp {

struct Data {
    std::string name{};
    std::vector<Point> locs{};
    bool operator==(Data const&) const = default;
};

class Instance final : public routing::Instance {
public:
    /// Validates everything; the error names city, field and value.
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

} // namespace cax::tsp
