#pragma once
// What can be asked of one closed tour: a short one, a proven shortest one, and whether there is one within a cost that
// begins like this. For all problems whose numbers can be written as TourData: some customers must be visited, others
// may be left out for a penalty as long as enough prize is collected, and visits may have windows. Where prizes are
// what is maximised, within a length, the question's constraints and the growing of ways (way_layer.hpp) still serve.
#include "../prefix.hpp"

#include "cax/core/matrix.hpp"
#include "cax/problems/routing/tour_instance.hpp"

#include <limits>
#include <memory>

namespace cax::routing {

/// What costs may exceed a bound by, relative: the rounding of a sum.
inline constexpr double cost_tolerance = 1e-9;
/// How late a visit may be, as a part of the time at which it begins: a policy drives by a clock in single precision.
inline constexpr double arrival_tolerance = 1e-6;
/// What a collected prize may fall short of what is wanted by: rl4co's checker.
inline constexpr double prize_shortage = 1e-5;

/// Which families a problem's rules belong to (no_family where it has none).
struct TourFamilies {
    std::size_t spatial = no_family;
    std::size_t time_window = no_family;
    std::size_t prize = no_family;
    std::size_t length = no_family; ///< of a limit on the length: cost is length then, and leaving out is free
};

/// All distances between nodes, shared by every copy: a task is made for each action, from the same ones.
class SharedDistances {
public:
    SharedDistances() = default;
    SharedDistances(Matrix<double> table) : table_(std::make_shared<Matrix<double> const>(std::move(table))) {}
    [[nodiscard]] double operator()(std::size_t from, std::size_t to) const { return (*table_)(from, to); }

private:
    std::shared_ptr<Matrix<double> const> table_{};
};

/// By node. Waiting is allowed and takes no length; nothing is said about when the tour is home.
struct TourData {
    TourFamilies families{};
    SharedDistances distance{};    ///< symmetric, and no detour is shorter
    std::vector<double> penalty{}; ///< of leaving a node out; empty: nobody may be left out
    std::vector<double> prize{};   ///< empty: there are none
    double prize_wanted = 0;       ///< at least so much, unless everybody is visited
    std::vector<double> open{};    ///< empty: no clocks
    std::vector<double> close{};
    [[nodiscard]] bool timed() const { return !open.empty(); }
    [[nodiscard]] bool may_leave_out() const { return !penalty.empty(); }
};

/// Rules as a checker reads them; loose: with twice its tolerances.
[[nodiscard]] TourData as_checked(TourData data, Rounding rounding);

/// What is left of a tour after its first actions.
struct TourTask {
    TourData data;
    std::vector<std::size_t> begun{}; ///< nodes in visiting order, a depot not among them
    std::vector<std::size_t> left{};
    std::size_t home = 0;
    std::size_t here = 0;
    bool closed = false; ///< it has come home: nothing can be added
    // Of what has been driven.
    double length = 0;
    double time = 0;
    double prize = 0;
    std::optional<std::size_t> late{}; ///< the first node that was reached after its window had closed

    /// Of a tour that goes on through these nodes of `left` and home: length, and penalties of the others.
    [[nodiscard]] double cost(std::span<std::size_t const> order) const;
    /// Sum of what the visits from here on are late by.
    [[nodiscard]] double lateness(std::span<std::size_t const> order) const;
    /// Enough prize, or everybody visited?
    [[nodiscard]] bool is_enough(std::span<std::size_t const> order) const;
    [[nodiscard]] Routes tour(std::span<std::size_t const> order) const;
};

/// Error if the actions are no beginning. Without a depot and without actions the tour begins at node 0: it passes
/// there anyway.
[[nodiscard]] Result<TourTask> tour_task(Instance const& instance, TourData data, std::span<std::size_t const> actions);

/// Ruin and recreate under annealing: nodes near each other are taken out and put back where they cost least. Visits
/// may be late on the way; what is late is never called better than what is not.
class TourImprover {
public:
    /// Begins with `order`, or with a tour that it makes for itself. Keeps a reference.
    TourImprover(TourTask const& task, std::uint64_t seed, std::optional<std::vector<std::size_t>> order = {});
    /// `fraction` of the whole budget is used up, 0 to 1: it gets colder.
    void iterate(double fraction);
    /// A whole budget of so many iterations.
    void iterate_all(std::uint64_t iterations) {
        for (std::uint64_t i = 0; i < iterations; ++i)
            iterate(static_cast<double>(i) / static_cast<double>(iterations));
    }
    [[nodiscard]] std::vector<std::size_t> const& order() const { return best_.order; }
    [[nodiscard]] double cost() const { return best_.cost; }
    [[nodiscard]] bool on_time() const { return best_.lateness <= 0; }

private:
    struct Tour {
        std::vector<std::size_t> order;
        double cost = 0;
        double lateness = 0;
    };
    [[nodiscard]] double weighed(Tour const& tour) const { return tour.cost + late_weight_ * tour.lateness; }
    [[nodiscard]] bool better(Tour const& a, Tour const& b) const;
    void measure(Tour& tour) const;
    void ruin(Tour& tour, Rng& rng) const;
    void recreate(Tour& tour, Rng& rng) const;
    struct Place {
        std::size_t position = 0;
        double cost = std::numeric_limits<double>::infinity();
    };
    [[nodiscard]] Place best_place(Tour const& tour, std::size_t node, Rng* rng) const;
    void collect_enough(Tour& tour) const;

    TourTask const& task_;
    std::uint64_t seed_;
    std::uint64_t iterations_ = 0;
    double scale_ = 0;                              ///< of costs: per node
    double late_weight_ = 0;                        ///< what a unit of lateness costs
    std::vector<std::vector<std::size_t>> nearest_; ///< by place in `left`
    Tour current_;
    Tour best_;
};

/// An exact method: shortest ways over sets of customers, grown one visit at a time, and cut off where what is left
/// costs too much at least. At most max_exact_visits are left.
inline constexpr std::size_t max_exact_visits = 64;
enum class TourGoal { any, cheapest };
struct TourAnswer {
    ExactAnswer::Outcome outcome = ExactAnswer::Outcome::budget_spent;
    std::vector<std::size_t> order; ///< if found
    std::uint64_t work = 0;         ///< ways looked at
};
/// A completion on time that costs no more than `limit`: any, or the cheapest.
[[nodiscard]] TourAnswer complete_tour(TourTask const& task, double limit, TourGoal goal, std::uint64_t work,
                                       std::function<bool()> const& stop);
/// A way of the exact method costs so much less than a solver's node: what may be looked at for so many of them, and an
/// answer in their terms.
[[nodiscard]] std::uint64_t ways_for(std::uint64_t work);
[[nodiscard]] ExactAnswer exact_answer(TourTask const& task, TourAnswer const& found);
/// No completion costs less.
[[nodiscard]] double least_cost(TourTask const& task);

/// The question as constraints, for a general solver. Precondition: something is left to decide.
[[nodiscard]] DecisionModel tour_constraints(TourTask const& task, std::optional<double> limit, Rounding rounding);
/// Does the tour begin like this? What is wrong, for a checker of answers.
void check_beginning(Instance const& instance, Routes const& solution, std::span<std::size_t const> prefix,
                     std::vector<std::string>& violations);

} // namespace cax::routing
