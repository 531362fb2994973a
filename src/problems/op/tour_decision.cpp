// Can a tour collect so much? An exact method of our own: shortest ways over sets of customers, grown one customer at a
// time, and cut off where what could still be collected is not enough. General solvers are lost on this question: every
// customer is optional, so little follows from little.
#include "../routing/tour/way_layer.hpp"
#include "tour.hpp"

#include <algorithm>
#include <cassert>
#include <functional>

namespace cax::op {
namespace {

/// A way from where the tour stands through a set of customers to one of them: the shortest of its kind.
struct Way {
    std::uint64_t visited = 0;
    double length = 0;
    double prize = 0;
    std::uint32_t before = 0; ///< its way without the last customer, in the layer before
    std::uint8_t last = 0;
};

/// The rules by which ways grow. Places: customers 0..n-1, then where the tour stands, then home.
class PrizeWays {
public:
    PrizeWays(routing::TourTask const& task, double length)
        : n_(task.left.size()),
          length_(length - task.length),
          wanted_(task.data.prize_wanted - task.prize),
          distance_(n_ + 2, n_ + 2) {
        assert(n_ <= routing::max_exact_visits);
        std::vector<std::size_t> places = task.left;
        places.insert(places.end(), {task.here, task.home});
        for (std::size_t a = 0; a < places.size(); ++a) {
            for (std::size_t b = 0; b < places.size(); ++b) distance_(a, b) = task.data.distance(places[a], places[b]);
        }
        for (std::size_t const customer : task.left) prize_.push_back(task.data.prize[customer]);
        price_customers();
    }

    [[nodiscard]] Way root() const { return {.last = static_cast<std::uint8_t>(here())}; }
    [[nodiscard]] static routing::WayLayer<Way> empty_layer() { return routing::WayLayer<Way>(); }
    [[nodiscard]] bool arrives(Way const& way) const { return way.prize >= wanted_; }
    [[nodiscard]] static bool any_will_do() { return true; }

    void extend(Way const& way, std::uint32_t index, routing::WayLayer<Way>& next) const {
        if (way.prize + still_possible(way) < wanted_) return;
        for (std::size_t c = 0; c < n_; ++c) {
            if ((way.visited >> c & 1U) != 0) continue;
            double const length = way.length + distance_(way.last, c);
            if (length + distance_(c, home()) > length_) continue;
            next.offer({way.visited | std::uint64_t{1} << c, length, way.prize + prize_[c], index,
                        static_cast<std::uint8_t>(c)});
        }
    }

private:
    [[nodiscard]] std::size_t here() const { return n_; }
    [[nodiscard]] std::size_t home() const { return n_ + 1; }

    /// Half of the two shortest legs at a customer is what a visit costs at least; most prize per cost comes first.
    void price_customers() {
        for (std::size_t c = 0; c < n_; ++c) {
            std::vector<double> legs;
            for (std::size_t p = 0; p < n_ + 2; ++p) {
                if (p != c) legs.push_back(distance_(c, p));
            }
            std::ranges::sort(legs);
            least_.push_back((legs[0] + legs[1]) / 2);
        }
        shortest_home_ = distance_(here(), home());
        for (std::size_t c = 0; c < n_; ++c) shortest_home_ = std::min(shortest_home_, distance_(c, home()));
        for (std::size_t c = 0; c < n_; ++c) {
            if (prize_[c] > 0) order_.push_back(c); // the others add nothing
        }
        std::ranges::stable_sort(order_, std::greater<>{}, [&](std::size_t c) { return prize_[c] / least_[c]; });
    }

    /// At most so much more: a fractional knapsack of customers that can be reached, each at its least cost. The way on
    /// costs half a leg at its beginning and half a leg at home besides.
    [[nodiscard]] double still_possible(Way const& way) const {
        double shortest = length_;
        for (std::size_t c = 0; c < n_; ++c) {
            if ((way.visited >> c & 1U) == 0) shortest = std::min(shortest, distance_(way.last, c));
        }
        double room = (length_ - way.length - shortest / 2 - shortest_home_ / 2) * (1 + 1e-12) + 1e-12;
        double prize = 0;
        for (std::size_t const c : order_) {
            if (room <= 0) break;
            if ((way.visited >> c & 1U) != 0) continue;
            if (way.length + distance_(way.last, c) + distance_(c, home()) > length_) continue;
            double const part = least_[c] > room ? room / least_[c] : 1;
            prize += part * prize_[c];
            room -= least_[c];
        }
        return prize + 1e-9; // rounding of the sums above must not cut anything off
    }

    std::size_t n_;
    double length_; ///< that is left
    double wanted_; ///< prize that is still missing
    Matrix<double> distance_;
    std::vector<double> prize_; ///< per customer, >= 0
    std::vector<double> least_;
    std::vector<std::size_t> order_; ///< customers with a prize
    double shortest_home_ = 0;
};

} // namespace

routing::TourAnswer decide_tour(routing::TourTask const& task, double length, std::uint64_t work,
                                std::function<bool()> const& stop) {
    PrizeWays rules(task, length);
    return routing::grow_ways(rules, task.left, work, stop);
}

} // namespace cax::op
