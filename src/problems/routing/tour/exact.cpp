#include "tour.hpp"
#include "way_layer.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace cax::routing {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

/// What is left of a tour costs at least this, whatever the order. Every node on a way has two legs, its ends have one;
/// half a leg belongs to each of its two nodes. Prices p of nodes shift costs between them without changing any tour:
/// with r_ij = d_ij + p_i + p_j a visit costs at least (r_i1 + r_i2) / 2 - 2 p_i, by the two shortest legs of i, and an
/// end at least r_i1 / 2 - p_i. Prices are raised by subgradients. Who may be left out costs no more than the penalty.
class VisitPrices {
public:
    /// Keeps a reference.
    explicit VisitPrices(TourTask const& task) : task_(task), n_(task.left.size()), places_(task.left) {
        places_.push_back(task.home);
        price_.assign(n_ + 1, 0.0);
        measure();
        raise();
    }
    std::vector<double> visit; ///< by place in `left`
    std::vector<double> end;   ///< of a way that stands there and goes on
    double home = 0;
    /// Of everything but the beginning.
    [[nodiscard]] double all() const {
        double sum = home;
        for (double const each : visit) sum += each;
        return sum;
    }

private:
    static constexpr int rounds = 200;
    /// The two cheapest legs at a place.
    struct Legs {
        std::array<std::size_t, 2> to{};
        std::array<double, 2> cost{endless, endless};
    };
    [[nodiscard]] std::size_t homeward() const { return n_; }
    [[nodiscard]] Legs legs_at(std::size_t place) const {
        Legs legs;
        for (std::size_t b = 0; b <= n_; ++b) {
            if (b == place) continue;
            double const cost = task_.data.distance(places_[place], places_[b]) + price_[place] + price_[b];
            if (cost >= legs.cost[1]) continue;
            legs.to[1] = b;
            legs.cost[1] = cost;
            if (cost >= legs.cost[0]) continue;
            std::swap(legs.to[0], legs.to[1]);
            std::swap(legs.cost[0], legs.cost[1]);
        }
        return legs;
    }
    [[nodiscard]] double penalty(std::size_t place) const {
        return task_.data.may_leave_out() ? task_.data.penalty[places_[place]] : endless;
    }

    /// Visits and ends at the present prices; returns the slope of their sum.
    std::vector<double> measure() {
        std::vector<double> slope(n_ + 1);
        visit.assign(n_, 0);
        end.assign(n_, 0);
        for (std::size_t i = 0; i < n_; ++i) {
            Legs legs = legs_at(i);
            if (n_ == 1) legs.cost[1] = legs.cost[0]; // home is all there is
            double const both = (legs.cost[0] + legs.cost[1]) / 2 - 2 * price_[i];
            visit[i] = std::min(both, penalty(i));
            end[i] = legs.cost[0] / 2 - price_[i];
            if (both >= penalty(i)) continue;
            slope[i] -= 1;
            for (std::size_t const b : legs.to) slope[b] += 0.5;
        }
        home = 0;
        if (n_ == 0) return slope;
        Legs const last = legs_at(homeward());
        home = last.cost[0] / 2 - price_[homeward()];
        slope[homeward()] -= 0.5;
        slope[last.to[0]] += 0.5;
        return slope;
    }

    void raise() {
        if (n_ < 2) return;
        double step = all() / static_cast<double>(n_ + 1) / 4;
        double best = all();
        std::vector<double> best_price = price_;
        for (int round = 0; round < rounds; ++round, step *= 0.975) {
            auto const slope = measure();
            if (all() > best) {
                best = all();
                best_price = price_;
            }
            for (std::size_t i = 0; i < price_.size(); ++i) price_[i] += step * slope[i];
        }
        price_ = best_price;
        measure();
    }

    TourTask const& task_;
    std::size_t n_;
    std::vector<std::size_t> places_; ///< left, home
    std::vector<double> price_;
};

/// A way from here through a set of nodes to one of them.
struct TourWay {
    std::uint64_t visited = 0;
    double length = 0;
    double time = 0;
    double prize = 0;
    double rest = 0;          ///< what the nodes that are left cost at least
    std::uint32_t before = 0; ///< its way without the last node, in the layer before
    std::uint8_t last = 0;
};

/// The rules by which ways grow: on time, and within a cost that falls with every tour that is found.
class TourWays {
public:
    TourWays(TourTask const& task, double limit, TourGoal goal)
        : task_(task), data_(task.data), n_(task.left.size()), limit_(limit), goal_(goal), prices_(task) {
        assert(n_ <= max_exact_visits);
        all_ = n_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n_) - 1;
    }

    [[nodiscard]] TourWay root() const {
        TourWay root{.length = task_.length, .time = task_.time, .prize = task_.prize, .last = here};
        for (double const each : prices_.visit) root.rest += each;
        return root;
    }
    [[nodiscard]] WayLayer<TourWay> empty_layer() const {
        return WayLayer<TourWay>(limit_ < endless || !data_.timed(), data_.timed());
    }
    [[nodiscard]] bool any_will_do() const { return goal_ == TourGoal::any; }
    /// From then on only what is cheaper by more than rounding.
    [[nodiscard]] bool arrives(TourWay const& way) {
        bool const enough = data_.may_leave_out() && way.prize >= data_.prize_wanted;
        if ((way.visited != all_ && !enough) || total(way) > limit_) return false;
        limit_ = total(way) - cost_tolerance * std::abs(total(way));
        return true;
    }

    void extend(TourWay const& way, std::uint32_t index, WayLayer<TourWay>& next) const {
        std::size_t const from = node_of(way);
        for (std::size_t c = 0; c < n_; ++c) {
            if ((way.visited >> c & 1U) != 0) continue;
            std::size_t const node = task_.left[c];
            double const leg = data_.distance(from, node);
            TourWay on{.visited = way.visited | std::uint64_t{1} << c,
                       .length = way.length + leg,
                       .time = way.time + leg,
                       .prize = way.prize + (data_.prize.empty() ? 0 : data_.prize[node]),
                       .rest = way.rest - prices_.visit[c],
                       .before = index,
                       .last = static_cast<std::uint8_t>(c)};
            double const least =
                on.length + std::max(on.rest + prices_.end[c] + prices_.home, data_.distance(node, task_.home));
            if (least > limit_ + 1e-9 * std::abs(limit_)) continue; // sums above are rounded
            if (data_.timed()) {
                if (on.time > data_.close[node]) continue;
                on.time = std::max(on.time, data_.open[node]);
                if (strands(on, node)) continue;
            }
            next.offer(on);
        }
    }

private:
    static constexpr std::uint8_t here = 255;
    [[nodiscard]] std::size_t node_of(TourWay const& way) const {
        return way.last == here ? task_.here : task_.left[way.last];
    }
    [[nodiscard]] double total(TourWay const& way) const {
        double sum = way.length + data_.distance(node_of(way), task_.home);
        for (std::size_t c = 0; c < n_ && data_.may_leave_out(); ++c) {
            if ((way.visited >> c & 1U) == 0) sum += data_.penalty[task_.left[c]];
        }
        return sum;
    }
    /// Somebody who must be visited can no longer be reached in time, not even straight away.
    [[nodiscard]] bool strands(TourWay const& way, std::size_t from) const {
        for (std::size_t c = 0; c < n_; ++c) {
            if ((way.visited >> c & 1U) != 0) continue;
            if (way.time + data_.distance(from, task_.left[c]) > data_.close[task_.left[c]]) return true;
        }
        return false;
    }

    TourTask const& task_;
    TourData const& data_;
    std::size_t n_;
    double limit_;
    TourGoal goal_;
    VisitPrices prices_;
    std::uint64_t all_ = 0;
};

} // namespace

TourAnswer complete_tour(TourTask const& task, double limit, TourGoal goal, std::uint64_t work,
                         std::function<bool()> const& stop) {
    assert(!task.closed);
    TourWays rules(task, limit, goal);
    return grow_ways(rules, task.left, work, stop);
}

double least_cost(TourTask const& task) {
    if (task.closed || task.left.empty()) return task.cost({});
    VisitPrices const prices(task);
    double const straight = task.length + task.data.distance(task.here, task.home);
    if (task.data.may_leave_out()) return straight; // it may go home at once, if that is enough
    double start = endless;                         // to the first of the rest, who then is an end
    for (std::size_t c = 0; c < task.left.size(); ++c) {
        start = std::min(start, task.data.distance(task.here, task.left[c]) + prices.end[c] - prices.visit[c]);
    }
    return std::max(straight, task.length + start + prices.all());
}

} // namespace cax::routing
