// Can a tour collect so much? As a constraint model: one closed tour through everybody, of which the part between where
// the tour stands and home is driven, and the part after home only lists who is left out.
#include "../whole_numbers.hpp"
#include "fields.hpp"
#include "tour.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::op {
namespace {

constexpr int length_bits = 24;
constexpr int prize_bits = 29;

class TourModelWriter {
public:
    TourModelWriter(Data const& data, Prefix const& prefix, double bound, Rounding rounding)
        : data_(data), prefix_(prefix), left_(prefix.left), bound_(bound), rounding_(rounding) {}

    [[nodiscard]] DecisionModel write() && {
        measure();
        add_variables();
        add_tour();
        add_lengths();
        add_prizes();
        add_branching();
        auto read = [successor = successor_, begun = prefix_.tour, left = left_](std::span<std::int64_t const> x) {
            std::vector<std::size_t> tour = begun;
            for (auto p = static_cast<std::size_t>(x[successor[left.size()]]); p < left.size();) {
                tour.push_back(left[p]);
                p = static_cast<std::size_t>(x[successor[p]]);
            }
            return Solution{Routes{{std::move(tour)}}};
        };
        return {std::move(model_), std::move(read)};
    }

private:
    // Places: customers 0..n-1, where the tour stands (n), home (n+1).
    [[nodiscard]] std::size_t here() const { return left_.size(); }
    [[nodiscard]] std::size_t home() const { return left_.size() + 1; }
    [[nodiscard]] std::size_t node(std::size_t place) const {
        return place < left_.size() ? left_[place] : (place == here() ? prefix_.last() : 0);
    }
    [[nodiscard]] std::string label(std::size_t place) const { return fmt::format("customer {}", left_[place]); }

    void measure() {
        double longest = data_.max_length;
        for (std::size_t a = 0; a <= home(); ++a) {
            for (std::size_t b = 0; b <= home(); ++b) longest = std::max(longest, distance(data_, node(a), node(b)));
        }
        WholeNumbers const length(2 * longest, length_bits, rounding_);
        double const limit = data_.max_length;
        // What the tour has driven counts as it is: only what is left to drive is rounded.
        limit_ = length.limit(std::max(0.0, limit - prefix_.length), 2 * length_tolerance * limit);
        for (std::size_t a = 0; a <= home(); ++a) {
            way_.emplace_back();
            for (std::size_t b = 0; b <= home(); ++b)
                way_[a].push_back(length.spent(distance(data_, node(a), node(b))));
        }
    }

    void add_variables() {
        auto const last = static_cast<std::int64_t>(home());
        for (std::size_t p = 0; p <= home(); ++p) {
            successor_.push_back(model_.add_variable(0, last, fmt::format("successor of place {}", p)));
            predecessor_.push_back(model_.add_variable(0, last, fmt::format("predecessor of place {}", p)));
            if (p < here()) driven_.push_back(model_.add_flag(label(p) + " is on the tour"));
            length_.push_back(model_.add_variable(0, p == here() ? 0 : largest_model_number / 8, "length so far"));
        }
        driven_.push_back(model_.add_variable(1, 1, "the tour has begun"));
        driven_.push_back(model_.add_variable(0, 0, "the tour is over"));
        yes_ = model_.add_variable(1, 1, "yes");
        no_ = model_.add_variable(0, 0, "no");
    }

    void add_tour() {
        model_.add(Circuit{successor_, predecessor_}, spatial, "the tour visits each customer at most once");
        for (std::size_t i = 0; i < here(); ++i) {
            model_.add(VariableElement{predecessor_[i], driven_, driven_[i]}, no_family,
                       label(i) + " is on the tour if its predecessor is");
            std::size_t const out = model_.add_flag(label(i) + " is left out");
            model_.add(LinearRule{{{out, 1}, {driven_[i], 1}}, 1, 1}, no_family, label(i) + " is in or out");
            model_.add_implied(
                LinearRule{{{successor_[i], 1}}, static_cast<std::int64_t>(i) + 1, largest_model_number, out},
                "who is left out is listed in order");
        }
        model_.add(VariableElement{predecessor_[home()], driven_, yes_}, no_family, "the tour comes home");
        model_.add(VariableElement{predecessor_[here()], driven_, no_}, no_family, "the list of others is closed");
    }

    void add_lengths() {
        for (std::size_t b = 0; b <= home(); ++b) {
            if (b == here()) continue;
            std::vector<std::int64_t> ways;
            for (std::size_t a = 0; a <= home(); ++a) ways.push_back(way_[a][b]);
            auto const [shortest, longest] = std::ranges::minmax(ways);
            std::size_t const way = model_.add_variable(shortest, longest, "way to the place");
            std::size_t const before = model_.add_variable(0, largest_model_number / 8, "length before the place");
            model_.add(TableElement{predecessor_[b], std::move(ways), way}, no_family, "the way to the place");
            model_.add(VariableElement{predecessor_[b], length_, before}, no_family, "the length before the place");
            LinearRule sum{{{length_[b], 1}, {before, -1}, {way, -1}}, 0};
            if (b != home()) sum.condition = driven_[b];
            model_.add(std::move(sum), spatial, "lengths add up");
        }
        for (std::size_t i = 0; i < here(); ++i) {
            model_.add_implied(
                LinearRule{{{length_[i], 1}}, -largest_model_number, limit_ - way_[i][home()], driven_[i]},
                label(i) + ": the way home still fits");
        }
        model_.add(LinearRule{{{length_[home()], 1}}, -largest_model_number, limit_}, budget,
                   "the tour is no longer than allowed");
    }

    /// Strict rounds prizes down and the bound up, so the scale is as fine as it can be.
    void add_prizes() {
        double total = bound_ + 1;
        for (std::size_t const customer : left_) total += double{data_.prize[customer]};
        Rounding const opposite = rounding_ == Rounding::strict ? Rounding::loose : Rounding::strict;
        WholeNumbers const prizes(total, prize_bits, opposite); // collected, not spent: the other way round
        double const tolerated = prize_tolerance(bound_) * (rounding_ == Rounding::strict ? 0.5 : 2);
        double const missing = std::max(0.0, bound_ - prefix_.prize - tolerated);
        WholeNumbers const wanted(total, prize_bits, rounding_);
        LinearRule rule{{}, wanted.spent(missing)};
        for (std::size_t i = 0; i < here(); ++i) {
            rule.terms.push_back({driven_[i], prizes.spent(double{data_.prize[left_[i]]})});
        }
        model_.add(std::move(rule), prize, "the tour collects what is asked for");
    }

    void add_branching() {
        Branching in_or_out{{}, Branching::Pick::fewest_per_failure};
        Branching before{{}, Branching::Pick::fewest_per_failure};
        for (std::size_t i = 0; i < here(); ++i) {
            in_or_out.variables.push_back(driven_[i]);
            in_or_out.costs.push_back({1, 0});
            before.variables.push_back(predecessor_[i]);
            std::vector<std::int64_t> costs;
            for (std::size_t p = 0; p <= home(); ++p) costs.push_back(way_[p][i]);
            before.costs.push_back(std::move(costs));
        }
        model_.branchings = {std::move(in_or_out), std::move(before)};
    }

    Data const& data_;
    Prefix const& prefix_;
    std::vector<std::size_t> const& left_;
    double bound_;
    Rounding rounding_;
    ConstraintModel model_;
    std::int64_t limit_ = 0;
    std::vector<std::vector<std::int64_t>> way_;
    std::vector<std::size_t> successor_; ///< variables, per place
    std::vector<std::size_t> predecessor_;
    std::vector<std::size_t> length_;
    std::vector<std::size_t> driven_;
    std::size_t yes_ = 0;
    std::size_t no_ = 0;
};

} // namespace

DecisionModel tour_model(Data const& data, Prefix const& prefix, double bound, Rounding rounding) {
    return TourModelWriter(data, prefix, bound, rounding).write();
}

} // namespace cax::op
