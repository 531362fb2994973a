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

class TourDecision {
public:
    TourDecision(TourQuestion const& question, std::uint64_t work, std::function<bool()> const& stop)
        : q_(question), n_(question.prize.size()), work_(work), stop_(stop) {
        assert(n_ <= max_decided_customers);
        price_customers();
    }

    [[nodiscard]] TourAnswer run() {
        std::vector<std::vector<Way>> layers;
        layers.push_back({Way{0, 0, 0, 0, static_cast<std::uint8_t>(n_)}});
        TourAnswer answer;
        for (std::size_t size = 0; !layers.back().empty(); ++size) {
            routing::WayLayer<Way> next;
            for (std::size_t i = 0; i < layers.back().size(); ++i) {
                Way const& way = layers.back()[i];
                if (way.prize >= q_.wanted) return found(layers, i, answer.work);
                if (answer.work == work_) return {ExactAnswer::Outcome::budget_spent, {}, answer.work};
                if (answer.work % 4096 == 4095 && stop_ && stop_()) {
                    return {ExactAnswer::Outcome::stopped, {}, answer.work};
                }
                ++answer.work;
                extend(way, static_cast<std::uint32_t>(i), next);
            }
            layers.push_back(std::move(next.ways()));
        }
        return {ExactAnswer::Outcome::none, {}, answer.work};
    }

private:
    [[nodiscard]] std::size_t here() const { return n_; }
    [[nodiscard]] std::size_t home() const { return n_ + 1; }

    /// Half of the two shortest legs at a customer is what a visit costs at least; most prize per cost comes first.
    void price_customers() {
        for (std::size_t c = 0; c < n_; ++c) {
            std::vector<double> legs;
            for (std::size_t p = 0; p < n_ + 2; ++p) {
                if (p != c) legs.push_back(q_.distance[c][p]);
            }
            std::ranges::sort(legs);
            least_.push_back((legs[0] + legs[1]) / 2);
        }
        shortest_home_ = q_.distance[here()][home()];
        for (std::size_t c = 0; c < n_; ++c) shortest_home_ = std::min(shortest_home_, q_.distance[c][home()]);
        for (std::size_t c = 0; c < n_; ++c) {
            if (q_.prize[c] > 0) order_.push_back(c); // the others add nothing
        }
        std::ranges::stable_sort(order_, std::greater<>{}, [&](std::size_t c) { return q_.prize[c] / least_[c]; });
    }

    void extend(Way const& way, std::uint32_t index, routing::WayLayer<Way>& next) const {
        if (way.prize + still_possible(way) < q_.wanted) return;
        for (std::size_t c = 0; c < n_; ++c) {
            if ((way.visited >> c & 1U) != 0) continue;
            double const length = way.length + q_.distance[way.last][c];
            if (length + q_.distance[c][home()] > q_.length) continue;
            next.offer({way.visited | std::uint64_t{1} << c, length, way.prize + q_.prize[c], index,
                        static_cast<std::uint8_t>(c)});
        }
    }

    /// At most so much more: a fractional knapsack of customers that can be reached, each at its least cost. The way on
    /// costs half a leg at its beginning and half a leg at home besides.
    [[nodiscard]] double still_possible(Way const& way) const {
        double shortest = q_.length;
        for (std::size_t c = 0; c < n_; ++c) {
            if ((way.visited >> c & 1U) == 0) shortest = std::min(shortest, q_.distance[way.last][c]);
        }
        double room = (q_.length - way.length - shortest / 2 - shortest_home_ / 2) * (1 + 1e-12) + 1e-12;
        double prize = 0;
        for (std::size_t const c : order_) {
            if (room <= 0) break;
            if ((way.visited >> c & 1U) != 0) continue;
            if (way.length + q_.distance[way.last][c] + q_.distance[c][home()] > q_.length) continue;
            double const part = least_[c] > room ? room / least_[c] : 1;
            prize += part * q_.prize[c];
            room -= least_[c];
        }
        return prize + 1e-9; // rounding of the sums above must not cut anything off
    }

    [[nodiscard]] static TourAnswer found(std::vector<std::vector<Way>> const& layers, std::size_t index,
                                          std::uint64_t work) {
        TourAnswer answer{ExactAnswer::Outcome::found, {}, work};
        for (std::size_t size = layers.size() - 1; size > 0; --size) {
            Way const& way = layers[size][index];
            answer.customers.push_back(way.last);
            index = way.before;
        }
        std::ranges::reverse(answer.customers);
        return answer;
    }

    TourQuestion const& q_;
    std::size_t n_;
    std::uint64_t work_;
    std::function<bool()> const& stop_;
    std::vector<double> least_;
    std::vector<std::size_t> order_; ///< customers with a prize
    double shortest_home_ = 0;
};

} // namespace

TourAnswer decide_tour(TourQuestion const& question, std::uint64_t work, std::function<bool()> const& stop) {
    return TourDecision(question, work, stop).run();
}

} // namespace cax::op
