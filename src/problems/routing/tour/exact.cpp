#include "tour.hpp"
#include "visit_prices.hpp"
#include "way_layer.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax::routing {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

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

} // namespace cax::routing
