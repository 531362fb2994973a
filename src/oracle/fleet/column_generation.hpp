#pragma once
// The covering program over all routes: every customer at least once, the vehicle under way exactly once, at most so many
// routes. Its value is a lower bound on the length of what is left, and its duals price every route: the sum of the
// reduced costs of a solution's routes is at most the solution's length less the bound.
#include "backward_labels.hpp"

#include "cax/solvers/lp.hpp"

#include <memory>
#include <map>

namespace cax::oracle {

class ColumnGeneration {
public:
    /// `vehicles`: routes that may be driven, the one under way included.
    ColumnGeneration(Rest const& rest, std::optional<std::size_t> vehicles, Work& work);

    /// To begin with, or because it is cheap. Of several orders of the same customers the shortest counts; false if
    /// there is one that is as short.
    bool add(Column column);

    /// False if the work ran out: there is a bound perhaps, and no labels. Error if the solver breaks down.
    [[nodiscard]] Result<bool> run();

    /// No cover is shorter. Nothing if no exact pricing ended.
    [[nodiscard]] std::optional<double> bound() const { return bound_; }
    /// At least as long as any solution: a bound above it says that there is none.
    [[nodiscard]] double longest() const { return longest_; }
    /// Of the bound, with exact labels at these prices. Precondition: run() was true.
    [[nodiscard]] Prices const& prices() const { return prices_; }
    [[nodiscard]] BackwardLabels const& labels() const { return *labels_; }
    [[nodiscard]] std::vector<Column> const& columns() const { return columns_; }
    /// If the program's solution is one of routes, each once: their indices.
    [[nodiscard]] std::optional<std::vector<std::size_t>> routes() const;

private:
    [[nodiscard]] Result<void> open();
    void hand_over();
    [[nodiscard]] Result<void> solve();
    [[nodiscard]] Result<std::size_t> price(BackwardLabels::Dominance dominance);

    Rest const& rest_;
    std::optional<std::size_t> vehicles_;
    Work& work_;
    double longest_ = 0;
    double scale_ = 1; ///< of lengths: what counts as 0 is a small part of it
    std::vector<Column> columns_;
    std::map<CustomerSet, std::size_t> places_; ///< of sets among the columns
    std::size_t handed_over_ = 0; ///< columns that the session has
    std::size_t artificial_ = 0;  ///< columns of the session before those
    std::unique_ptr<LpSession> session_;
    LpSolution solution_;
    Prices prices_;
    std::unique_ptr<BackwardLabels> labels_;
    double lagrangian_ = 0; ///< bound of the last exact pricing
    std::optional<double> bound_;
};

} // namespace cax::oracle
