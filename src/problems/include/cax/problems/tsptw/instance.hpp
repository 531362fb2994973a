#pragma once
// The travelling salesman problem with time windows: what is given. A closed tour leaves the depot (node 0) at time 0
// and visits every customer 1..N-1 before its window closes, waiting where it has not opened; the length is minimised.
// There may be no such tour. Distances are times.
//
//   JSON    {"name", "depot": {"x", "y", "window": [0, close]}, "customers": [{"x", "y", "window": [open, close]}]}
//   arrays  locs, time_windows, the depot among both
//   text    rows of number, x, y, demand, ready, due, service, the depot first (Dumas and others)
#include "cax/problems/completions.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/routing/fleet_data.hpp"
#include "cax/problems/routing/instance.hpp"

namespace cax::tsptw {

using routing::Window;

struct Data {
    std::string name{};
    std::vector<Point> locs{};          ///< N nodes, the depot first
    std::vector<Window> time_windows{}; ///< N; the depot's close is the unit in which policies see the others
    bool whole_windows = false;         ///< they are whole numbers and stay so
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

} // namespace cax::tsptw
