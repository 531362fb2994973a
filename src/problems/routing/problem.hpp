#pragma once
// A routing problem: a table of fields (table/problem.hpp) whose first row holds places, a few words, and what only
// this problem can say (the pure functions below). To what the table gives, the kit adds routes: as solutions, as
// episodes, as drawings. What is left belongs to the problem alone: its generator, its text formats, its relaxations
// (pricing) and its solvers (questions).
#include "../table/problem.hpp"
#include "state.hpp"

#include "cax/problems/thumb.hpp"

namespace cax::routing {

using table::make_as;

/// How a problem's solutions, arrays and drawings look.
struct Look {
    std::span<FamilyWords const> families; ///< in the order of ProblemInfo::families
    NodeWords nodes = {};                  ///< what nodes are called, and whether node 0 is a depot
    bool one_tour = false;                 ///< a solution is one tour, not a list of routes
    bool depot_apart = true;               ///< in data sets, and as policies embed it
    std::size_t weight = 0;                ///< the field that a drawing shows as the size of a node
    std::vector<Scale> context{};          ///< of each scalar of the context; none where the list ends
    std::vector<std::string_view> arrays;  ///< a data set with these arrays ...
    std::vector<std::string_view>
        foreign; ///< ... and none of those is this problem's; JSON with such keys is another's
};

/// How an instance gets into the range that policies were trained on.
struct Rescaling {
    double scale = 1;  ///< of Scale::length
    double worth = 1;  ///< of Scale::worth
    bool move = false; ///< places into the corner at the origin, scaled
    std::string note;  ///< for the reader
};

/// For policies that were trained on the unit square.
[[nodiscard]] std::optional<Rescaling> into_unit_square(Instance const& instance);

/// One rule for the next customer: lower is better. The depot is left for when no customer is allowed.
struct CustomerRule {
    ThumbRule rule;
    double (*score)(State const& state, std::size_t customer);
};

class Problem : public table::Problem, public RulesOfThumb {
public:
    [[nodiscard]] bool one_tour() const { return one_tour_; }
    [[nodiscard]] RulesOfThumb const* thumb() const final { return this; }

    // Exchange.
    [[nodiscard]] Json solution_to_json(cax::Instance const& instance, Solution const& solution) const final;
    [[nodiscard]] Result<Solution> solution_from_json(cax::Instance const& instance, Json const& json) const final;
    [[nodiscard]] Result<std::vector<std::size_t>> actions(cax::Instance const& instance, Solution const& solution,
                                                           std::span<std::size_t const> like) const final;
    [[nodiscard]] std::vector<TensorCopy> copies(cax::State const& state) const final;

    // Presentation.
    [[nodiscard]] std::string describe_action(cax::State const& state, std::size_t action) const final;
    [[nodiscard]] Json scene(cax::Instance const& instance) const final;
    [[nodiscard]] Json moment(cax::State const& state, std::span<std::size_t const> actions) const final;
    [[nodiscard]] Json mark(cax::State const& state, std::size_t action) const final;
    [[nodiscard]] Json drawing(cax::Instance const& instance, Solution const& solution) const final;
    [[nodiscard]] Result<InDomain> into_domain(InstancePtr const& instance) const final;

    [[nodiscard]] std::optional<std::size_t> place_tensor() const final { return 0; }

    // Rules of thumb.
    [[nodiscard]] std::vector<ThumbRule> thumb_rules() const final;
    [[nodiscard]] std::vector<double> thumb_scores(cax::State const& state, std::size_t rule) const final;

protected:
    Problem(ProblemInfo info, std::span<Field const> fields, Look look);

    /// What a drawing says about a node: "prize 0.4".
    [[nodiscard]] virtual std::vector<std::string> facts(Instance const& instance, std::size_t node) const = 0;
    /// Those that need no more than places; problems with more to go by add theirs.
    [[nodiscard]] virtual std::vector<CustomerRule> customer_rules() const;
    /// Nothing if the instance is in the range that policies were trained on.
    [[nodiscard]] virtual std::optional<Rescaling> rescaling(Instance const& instance) const = 0;

private:
    bool one_tour_;
    std::size_t weight_;
};

[[nodiscard]] Problem const& problem_of(cax::Instance const& instance);

} // namespace cax::routing
