#include "tour.hpp"

#include "../../whole_numbers.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::routing {
namespace {

constexpr int cost_bits = 28;
constexpr int moment_bits = 24;
constexpr int length_bits = 24; ///< they pile up from place to place
constexpr int worth_bits = 29;  ///< collected is rounded down and wanted up, so the scale is as fine as it can be

/// Places: who is left 0..n-1, where the tour stands (n), home (n+1). One circuit through all of them; who is left out
/// stands between home and here.
class TourConstraintWriter {
public:
    TourConstraintWriter(TourTask const& task, std::optional<double> limit, Rounding rounding)
        : task_(task), data_(task.data), families_(task.data.families), limit_(limit), rounding_(rounding) {}

    [[nodiscard]] DecisionModel write() && {
        add_variables();
        add_circuit();
        if (data_.may_leave_out()) add_choices();
        if (families_.length != no_family)
            add_lengths();
        else if (limit_)
            add_costs();
        if (data_.timed()) add_clocks();
        add_branching();
        auto read = [successor = successor_, task = task_](std::span<std::int64_t const> x) {
            std::vector<std::size_t> order;
            for (auto p = static_cast<std::size_t>(x[successor[task.left.size()]]); p < task.left.size();) {
                order.push_back(task.left[p]);
                p = static_cast<std::size_t>(x[successor[p]]);
            }
            return Solution{task.tour(order)};
        };
        return {std::move(model_), std::move(read)};
    }

private:
    [[nodiscard]] std::size_t here() const { return task_.left.size(); }
    [[nodiscard]] std::size_t home() const { return task_.left.size() + 1; }
    [[nodiscard]] std::size_t node(std::size_t place) const {
        return place < here() ? task_.left[place] : place == here() ? task_.here : task_.home;
    }
    [[nodiscard]] double way(std::size_t a, std::size_t b) const { return data_.distance(node(a), node(b)); }
    [[nodiscard]] std::string label(std::size_t place) const { return fmt::format("node {}", node(place)); }
    /// A variable for the way from a place's predecessor, in whole numbers.
    std::size_t add_way_to(std::size_t place, WholeNumbers const& whole, std::size_t family, std::string const& name) {
        std::vector<std::int64_t> ways;
        for (std::size_t a = 0; a <= home(); ++a) ways.push_back(whole.spent(way(a, place)));
        auto const [shortest, longest] = std::ranges::minmax(ways);
        std::size_t const variable = model_.add_variable(shortest, longest, name);
        model_.add(TableElement{predecessor_[place], std::move(ways), variable}, family, "the " + name);
        return variable;
    }

    void add_variables() {
        auto const last = static_cast<std::int64_t>(home());
        for (std::size_t p = 0; p <= home(); ++p) {
            successor_.push_back(model_.add_variable(0, last, fmt::format("successor of place {}", p)));
            predecessor_.push_back(model_.add_variable(0, last, fmt::format("predecessor of place {}", p)));
        }
    }

    void add_circuit() {
        model_.add(Circuit{successor_, predecessor_}, families_.spatial, "the tour visits each node once");
        if (data_.may_leave_out()) return;
        auto const back = static_cast<std::int64_t>(here());
        model_.add(LinearRule{{{successor_[home()], 1}}, back, back}, no_family, "the tour comes home last");
    }

    void add_choices() {
        for (std::size_t i = 0; i < here(); ++i) driven_.push_back(model_.add_flag(label(i) + " is on the tour"));
        driven_.push_back(model_.add_variable(1, 1, "the tour has begun"));
        driven_.push_back(model_.add_variable(0, 0, "the tour is over"));
        for (std::size_t i = 0; i < here(); ++i) {
            model_.add(VariableElement{predecessor_[i], driven_, driven_[i]}, no_family,
                       label(i) + " is on the tour if its predecessor is");
            out_.push_back(model_.add_flag(label(i) + " is left out"));
            model_.add(LinearRule{{{out_[i], 1}, {driven_[i], 1}}, 1, 1}, no_family, label(i) + " is in or out");
            auto const next = static_cast<std::int64_t>(i) + 1;
            model_.add_implied(LinearRule{{{successor_[i], 1}}, next, largest_model_number, out_[i]},
                               "who is left out is listed in order");
        }
        model_.add(VariableElement{predecessor_[home()], driven_, driven_[here()]}, no_family, "the tour comes home");
        model_.add(VariableElement{predecessor_[here()], driven_, driven_[home()]}, no_family,
                   "the list of others is closed");
        add_prizes();
    }

    void add_prizes() {
        double total = task_.prize;
        for (std::size_t const each : task_.left) total += data_.prize[each];
        Rounding const opposite = rounding_ == Rounding::strict ? Rounding::loose : Rounding::strict;
        WholeNumbers const collected(total + data_.prize_wanted + 1, worth_bits, opposite); // not spent
        WholeNumbers const wanted(total + data_.prize_wanted + 1, worth_bits, rounding_);
        bool const out_of_reach = total < data_.prize_wanted; // then everybody is visited
        LinearRule rule{{},
                        out_of_reach ? static_cast<std::int64_t>(here())
                                     : wanted.spent(std::max(0.0, data_.prize_wanted - task_.prize))};
        for (std::size_t i = 0; i < here(); ++i) {
            rule.terms.push_back({driven_[i], out_of_reach ? 1 : collected.spent(data_.prize[node(i)])});
        }
        model_.add(std::move(rule), families_.prize, "the tour collects enough");
    }

    /// What each place costs: the way to it, or its penalty.
    void add_costs() {
        double most = *limit_;
        for (std::size_t b = 0; b <= home(); ++b) {
            double longest = data_.may_leave_out() ? data_.penalty[node(b)] : 0;
            for (std::size_t a = 0; a <= home(); ++a) longest = std::max(longest, way(a, b));
            most += longest;
        }
        WholeNumbers const whole(most, cost_bits, rounding_);
        LinearRule sum{{}, -largest_model_number, whole.limit(std::max(0.0, *limit_ - task_.length), 0)};
        for (std::size_t b = 0; b <= home(); ++b) {
            if (b == here()) continue;
            std::size_t const length = add_way_to(b, whole, families_.spatial, "way to the place");
            std::int64_t const longest = model_.variables[length].high;
            if (b == home() || !data_.may_leave_out()) {
                sum.terms.push_back({length, 1});
                continue;
            }
            std::int64_t const penalty = whole.spent(data_.penalty[node(b)]);
            std::size_t const cost = model_.add_variable(0, std::max(longest, penalty), "cost of " + label(b));
            model_.add(LinearRule{{{cost, 1}, {length, -1}}, 0, largest_model_number, driven_[b]}, families_.spatial,
                       label(b) + ": its way costs its length");
            model_.add(LinearRule{{{cost, 1}}, penalty, largest_model_number, out_[b]}, no_family,
                       label(b) + ": leaving it out costs its penalty");
            sum.terms.push_back({cost, 1});
        }
        model_.add(std::move(sum), no_family, "the tour costs no more than asked for");
    }

    /// Lengths from place to place, so that every visit says at once whether the way home still fits.
    void add_lengths() {
        double farthest = *limit_;
        for (std::size_t a = 0; a <= home(); ++a) {
            for (std::size_t b = 0; b <= home(); ++b) farthest = std::max(farthest, way(a, b));
        }
        WholeNumbers const whole(2 * farthest, length_bits, rounding_);
        // What the tour has driven counts as it is: only what is left to drive is rounded.
        std::int64_t const limit = whole.limit(std::max(0.0, *limit_ - task_.length), 0);
        constexpr std::int64_t most = largest_model_number / 8;
        std::vector<std::size_t> so_far;
        for (std::size_t p = 0; p <= home(); ++p) {
            so_far.push_back(model_.add_variable(0, p == here() ? 0 : most, "length so far"));
        }
        for (std::size_t b = 0; b <= home(); ++b) {
            if (b == here()) continue;
            std::size_t const length = add_way_to(b, whole, no_family, "way to the place");
            std::size_t const before = model_.add_variable(0, most, "length before the place");
            model_.add(VariableElement{predecessor_[b], so_far, before}, no_family, "the length before the place");
            LinearRule sum{{{so_far[b], 1}, {before, -1}, {length, -1}}, 0};
            if (b != home()) sum.condition = driven_[b];
            model_.add(std::move(sum), families_.spatial, "lengths add up");
        }
        for (std::size_t i = 0; i < here(); ++i) {
            std::int64_t const latest = limit - whole.spent(way(i, home()));
            model_.add_implied(LinearRule{{{so_far[i], 1}}, -largest_model_number, latest, driven_[i]},
                               label(i) + ": the way home still fits");
        }
        model_.add(LinearRule{{{so_far[home()], 1}}, -largest_model_number, limit}, families_.length,
                   "the tour is no longer than allowed");
    }

    void add_clocks() {
        double latest = task_.time;
        for (std::size_t i = 0; i < here(); ++i) latest = std::max(latest, data_.close[node(i)]);
        WholeNumbers const clock(2 * latest + 1, moment_bits, rounding_);
        std::int64_t const end = clock.limit(latest, 0);
        for (std::size_t i = 0; i < here(); ++i) start_.push_back(model_.add_variable(0, end, "start at " + label(i)));
        std::int64_t const now = clock.spent(task_.time);
        start_.push_back(model_.add_variable(now, now, "the time now"));
        start_.push_back(model_.add_variable(0, 0, "nobody comes after home"));
        for (std::size_t i = 0; i < here(); ++i) {
            model_.add(LinearRule{{{start_[i], 1}}, clock.spent(std::clamp(data_.open[node(i)], 0.0, latest))},
                       families_.time_window, label(i) + ": not before its window opens");
            model_.add(LinearRule{{{start_[i], 1}}, -largest_model_number, clock.limit(data_.close[node(i)], 0)},
                       families_.time_window, label(i) + ": before its window closes");
            std::size_t const takes = add_way_to(i, clock, no_family, "time to " + label(i));
            std::size_t const left = model_.add_variable(0, std::max(end, now), "departure to " + label(i));
            model_.add(VariableElement{predecessor_[i], start_, left}, no_family, "the departure to " + label(i));
            model_.add(LinearRule{{{start_[i], 1}, {left, -1}, {takes, -1}}, 0}, families_.time_window,
                       label(i) + ": not before the vehicle gets there");
            add_possible_predecessors(i);
        }
    }

    /// Who opens so late that the way from there misses the window cannot come right before.
    void add_possible_predecessors(std::size_t i) {
        std::vector<std::int64_t> before;
        for (std::size_t a = 0; a <= here(); ++a) {
            double const ready = a == here() ? task_.time : std::max(data_.open[node(a)], task_.time);
            if (a != i && ready + way(a, i) <= data_.close[node(i)]) before.push_back(static_cast<std::int64_t>(a));
        }
        model_.add_implied(AllowedValues{predecessor_[i], std::move(before)}, "who can come before in time");
    }

    void add_branching() {
        Branching choice{{}, Branching::Pick::fewest_per_failure};
        Branching before{{}, Branching::Pick::fewest_per_failure};
        for (std::size_t i = 0; i < here(); ++i) {
            if (!driven_.empty()) {
                choice.variables.push_back(driven_[i]);
                choice.costs.push_back({1, 0});
            }
            before.variables.push_back(predecessor_[i]);
            std::vector<std::int64_t> costs;
            for (std::size_t p = 0; p <= home(); ++p) costs.push_back(static_cast<std::int64_t>(1e6 * way(p, i)));
            std::int64_t const largest = std::max<std::int64_t>(1, *std::ranges::max_element(costs));
            for (std::int64_t& cost : costs) cost = cost * 1000 / largest; // only their order matters
            before.costs.push_back(std::move(costs));
        }
        if (!driven_.empty()) model_.branchings.push_back(std::move(choice));
        model_.branchings.push_back(std::move(before));
    }

    TourTask const& task_;
    TourData const& data_;
    TourFamilies const& families_;
    std::optional<double> limit_;
    Rounding rounding_;
    ConstraintModel model_;
    // Variables, per place.
    std::vector<std::size_t> successor_, predecessor_, driven_, out_, start_;
};

} // namespace

DecisionModel tour_constraints(TourTask const& task, std::optional<double> limit, Rounding rounding) {
    return TourConstraintWriter(task, limit, rounding).write();
}

} // namespace cax::routing
