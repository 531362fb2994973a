#include "visit_prices.hpp"

#include <algorithm>
#include <array>

namespace cax::routing {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr int rounds = 200;

} // namespace

/// The two cheapest legs at a place.
struct VisitPrices::Legs {
    std::array<std::size_t, 2> to{};
    std::array<double, 2> cost{unbounded, unbounded};
};

VisitPrices::VisitPrices(TourTask const& task) : task_(task), n_(task.left.size()), places_(task.left) {
    places_.push_back(task.home);
    price_.assign(n_ + 1, 0.0);
    measure();
    raise();
}

double VisitPrices::all() const {
    double sum = home;
    for (double const each : visit) sum += each;
    return sum;
}

VisitPrices::Legs VisitPrices::legs_at(std::size_t place) const {
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

double VisitPrices::penalty(std::size_t place) const {
    return task_.data.may_leave_out() ? task_.data.penalty[places_[place]] : unbounded;
}

/// Visits and ends at the present prices; returns the slope of their sum.
std::vector<double> VisitPrices::measure() {
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

void VisitPrices::raise() {
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

double least_cost(TourTask const& task) {
    if (task.closed || task.left.empty()) return task.cost({});
    VisitPrices const prices(task);
    double const straight = task.length + task.data.distance(task.here, task.home);
    if (task.data.may_leave_out()) return straight; // it may go home at once, if that is enough
    double start = unbounded;                       // to the first of the rest, who then is an end
    for (std::size_t c = 0; c < task.left.size(); ++c) {
        start = std::min(start, task.data.distance(task.here, task.left[c]) + prices.end[c] - prices.visit[c]);
    }
    return std::max(straight, task.length + start + prices.all());
}

} // namespace cax::routing
