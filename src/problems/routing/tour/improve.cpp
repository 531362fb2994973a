#include "tour.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cax::routing {
namespace {

constexpr std::size_t most_taken_out = 12;
constexpr double chance_to_blink = 0.02; ///< a place is not looked at
// Temperatures at the beginning and at the end, as a multiple of the cost per node.
constexpr double hottest = 0.3;
constexpr double coldest = 0.003;
constexpr double late_costs = 20; ///< lateness, as a multiple of length

} // namespace

TourImprover::TourImprover(TourTask const& task, std::uint64_t seed, std::optional<std::vector<std::size_t>> order)
    : task_(task), seed_(seed), late_weight_(task.data.timed() ? late_costs : 0) {
    for (std::size_t const node : task.left) {
        auto& list = nearest_.emplace_back(task.left);
        std::ranges::stable_sort(
            list, {}, [&](std::size_t other) { return other == node ? -1 : task.data.distance(node, other); });
        list.resize(std::min(list.size(), most_taken_out));
    }
    if (order) {
        current_.order = *std::move(order);
    } else {
        Rng rng(seed, 0, 0, 1);
        recreate(current_, rng);
    }
    measure(current_);
    scale_ = current_.cost / static_cast<double>(task.left.size() + 1);
    best_ = current_;
}

void TourImprover::measure(Tour& tour) const {
    tour.cost = task_.cost(tour.order);
    tour.lateness = task_.lateness(tour.order);
}

bool TourImprover::better(Tour const& a, Tour const& b) const {
    if ((a.lateness > 0) != (b.lateness > 0)) return b.lateness > 0;
    return weighed(a) < weighed(b) - 1e-12 * std::abs(weighed(b));
}

void TourImprover::iterate(double fraction) {
    ++iterations_;
    if (task_.left.empty()) return;
    Rng rng(seed_, static_cast<std::uint32_t>(iterations_), static_cast<std::uint32_t>(iterations_ >> 32), 2);
    Tour trial = current_;
    ruin(trial, rng);
    recreate(trial, rng);
    measure(trial);
    double const temperature = scale_ * hottest * std::pow(coldest / hottest, fraction);
    if (weighed(trial) >= weighed(current_) - temperature * std::log(1 - rng.uniform())) return;
    current_ = std::move(trial);
    if (better(current_, best_)) best_ = current_;
}

void TourImprover::ruin(Tour& tour, Rng& rng) const {
    auto const& near = nearest_[rng.below(nearest_.size())];
    std::size_t const count = 1 + rng.below(near.size());
    for (std::size_t i = 0; i < count; ++i) std::erase(tour.order, near[i]);
}

void TourImprover::recreate(Tour& tour, Rng& rng) const {
    std::vector<std::size_t> absent;
    for (std::size_t const node : task_.left) {
        if (std::ranges::find(tour.order, node) == tour.order.end()) absent.push_back(node);
    }
    for (std::size_t i = absent.size(); i > 1; --i) std::swap(absent[i - 1], absent[rng.below(i)]);
    if (task_.data.timed() && rng.below(2) == 0) {
        std::ranges::stable_sort(absent, {}, [&](std::size_t node) { return task_.data.close[node]; });
    }
    for (std::size_t const node : absent) {
        Place const place = best_place(tour, node, &rng);
        // Whoever may be left out returns if that is worth it; by how much is seen a little differently every time.
        if (task_.data.may_leave_out() && place.cost > task_.data.penalty[node] * rng.uniform(0.7, 1.3)) continue;
        tour.order.insert(tour.order.begin() + static_cast<std::ptrdiff_t>(place.position), node);
    }
    collect_enough(tour);
}

TourImprover::Place TourImprover::best_place(Tour const& tour, std::size_t node, Rng* rng) const {
    auto const& order = tour.order;
    auto const& data = task_.data;
    // Clocks as they are, and what is late from each stop on.
    std::vector<double> leaves(data.timed() ? order.size() + 1 : 0), late_from(data.timed() ? order.size() + 2 : 0);
    if (data.timed()) {
        leaves[0] = task_.time;
        for (std::size_t i = 0; i < order.size(); ++i) {
            double const arrival = leaves[i] + data.distance(i == 0 ? task_.here : order[i - 1], order[i]);
            leaves[i + 1] = std::max(arrival, data.open[order[i]]);
            late_from[i] = std::max(0.0, arrival - data.close[order[i]]);
        }
        for (std::size_t i = order.size(); i-- > 0;) late_from[i] += late_from[i + 1];
    }
    Place best;
    for (std::size_t position = 0; position <= order.size(); ++position) {
        if (rng != nullptr && best.cost < std::numeric_limits<double>::infinity() && rng->uniform() < chance_to_blink)
            continue;
        std::size_t const before = position == 0 ? task_.here : order[position - 1];
        std::size_t const after = position == order.size() ? task_.home : order[position];
        double cost = data.distance(before, node) + data.distance(node, after) - data.distance(before, after);
        if (cost >= best.cost) continue;
        if (data.timed()) {
            double now = leaves[position] + data.distance(before, node);
            double late = std::max(0.0, now - data.close[node]);
            now = std::max(now, data.open[node]);
            std::size_t at = node;
            std::size_t i = position;
            for (; i < order.size() && now > (i == position ? -1.0 : leaves[i]); ++i) { // until a wait swallows it
                now += data.distance(at, order[i]);
                late += std::max(0.0, now - data.close[order[i]]);
                now = std::max(now, data.open[order[i]]);
                at = order[i];
            }
            cost += late_weight_ * (late + late_from[i] - late_from[position]);
        }
        if (cost < best.cost) best = {position, cost};
    }
    return best;
}

/// Whoever costs least for its prize joins until there is enough.
void TourImprover::collect_enough(Tour& tour) const {
    while (!task_.is_enough(tour.order)) {
        std::size_t chosen = 0;
        Place place;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t const node : task_.left) {
            if (std::ranges::find(tour.order, node) != tour.order.end()) continue;
            Place const own = best_place(tour, node, nullptr);
            double const rate = (own.cost - task_.data.penalty[node]) / std::max(task_.data.prize[node], 1e-9);
            if (rate >= least) continue;
            least = rate;
            chosen = node;
            place = own;
        }
        tour.order.insert(tour.order.begin() + static_cast<std::ptrdiff_t>(place.position), chosen);
    }
}

} // namespace cax::routing
