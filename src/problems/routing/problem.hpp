#pragma once
// A routing problem: a table of fields (table/problem.hpp) whose first row holds places, a few words, and what only
// this problem can say (the functions below). To what the table gives, the kit adds routes: as solutions, as episodes,
// as drawings. What is left belongs to the problem alone: its generator, its text formats, its relaxations (pricing)
// and its solvers (questions).
#include "../search_clock.hpp"
#include "../table/problem.hpp"
#include "state.hpp"

#include "cax/problems/routing/leg.hpp"
#include "cax/problems/thumb.hpp"

namespace cax::routing {

/// What a routing problem says beside the look of its table.
struct RouteLook {
    bool one_tour = false;       ///< a solution is one tour, not a list of routes
    std::size_t weight = 0;      ///< the field that a drawing shows as the size of a node
    LegRule leg = closed_routes; ///< what vehicles are charged for a way; where there is a depot
};

/// How an instance gets into the range that policies were trained on.
struct Rescaling {
    double scale = 1;  ///< of Scale::length
    double worth = 1;  ///< of Scale::worth
    bool move = false; ///< places into the corner at the origin, scaled
    std::string note;  ///< for the reader
};

/// One rule for the next customer: lower is better. The depot is left for when no customer is allowed.
struct CustomerRule {
    ThumbRule rule;
    double (*score)(State const& state, std::size_t customer);
};

class Problem : public table::Problem, public RulesOfThumb {
public:
    [[nodiscard]] bool one_tour() const { return routes_.one_tour; }
    [[nodiscard]] LegRule leg_rule() const { return routes_.leg; }
    /// Do vehicles drive home? A way that costs nothing is not driven.
    [[nodiscard]] bool comes_home() const { return routes_.leg(1, 1, 0) > 0; }
    /// Names of options and the size are looked at here; draw() does the rest.
    [[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng) const final;
    [[nodiscard]] RulesOfThumb const* thumb() const override { return this; }

    // Exchange.
    [[nodiscard]] Json solution_to_json(cax::Instance const& instance, Solution const& solution) const final;
    [[nodiscard]] Result<Solution> solution_from_json(cax::Instance const& instance, Json const& json) const final;
    [[nodiscard]] Result<std::vector<std::size_t>> actions(cax::Instance const& instance, Solution const& solution,
                                                           std::span<std::size_t const> like) const final;
    [[nodiscard]] Result<ActionPlan> action_plan(cax::Instance const& instance, Solution const& solution,
                                                 Rng* rng) const final;
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
    Problem(ProblemInfo info, std::span<Field const> fields, table::Look look, RouteLook routes);

    /// A random instance with rl4co's distribution (its numbers, not its random stream). `size`: customers, and the
    /// depot where it does not stand apart. Only options of `info` are given.
    [[nodiscard]] virtual Result<InstancePtr> draw(std::size_t size, Options const& options, Rng& rng) const = 0;
    /// What a drawing says about a node: "prize 0.4".
    [[nodiscard]] virtual std::vector<std::string> facts(Instance const& /*instance*/, std::size_t /*node*/) const {
        return {};
    }
    /// Those that need no more than places; problems with more to go by add theirs.
    [[nodiscard]] virtual std::vector<CustomerRule> customer_rules() const;
    /// Nothing if the instance is in the range that policies were trained on: the unit square, unless a problem says
    /// otherwise.
    [[nodiscard]] virtual std::optional<Rescaling> rescaling(Instance const& instance) const;

private:
    RouteLook routes_;
};

[[nodiscard]] Problem const& problem_of(cax::Instance const& instance);

/// More nodes than this are refused: searches keep all distances.
inline constexpr std::size_t max_search_nodes = 3000;
/// Error if there are more nodes, or something is wrong with the options (search_clock.hpp).
[[nodiscard]] Result<void> check_search(Instance const& instance, SearchOptions const& options);

/// The square that holds all places.
struct Extent {
    double left = 0;
    double bottom = 0;
    double side = 0;
};
[[nodiscard]] Extent extent_of(std::span<Point const> places);
/// Is a place outside the square from the origin with this side?
[[nodiscard]] bool lies_outside(std::span<Point const> places, double side);

// Scores of customers that need no more than places: lower is better.
[[nodiscard]] double nearest(State const& state, std::size_t customer);
/// Clarke and Wright's saving of driving on instead of serving it by the next vehicle, negated.
[[nodiscard]] double largest_saving(State const& state, std::size_t customer);
/// On the way home.
[[nodiscard]] double smallest_detour(State const& state, std::size_t customer);
[[nodiscard]] double farthest_from_depot(State const& state, std::size_t customer);

/// A column of places anywhere in the unit square, or one with another side.
[[nodiscard]] std::vector<float> drawn_places(std::size_t nodes, Rng& rng, double side = 1);

} // namespace cax::routing
