// A good tour where there are too many customers for the exact programme: strings of customers are taken out and
// others put in, two-opt moves shorten what is left, and annealing decides what stays.
#include "../routing/distances.hpp"
#include "tour.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax::op {
namespace {

// Temperatures at the beginning and at the end, as a multiple of the mean prize.
constexpr double hot = 1;
constexpr double cold = 0.05;
/// How often a customer that is not on the tour is forced in before it is filled up.
constexpr double force_chance = 0.5;
/// The share of the tour that is taken out at most, and never more customers than this.
constexpr double longest_share = 0.4;
constexpr double longest_string = 15;
/// How strongly prizes count against detours varies from filling to filling.
constexpr double weakest_prize = 0.5;
constexpr double strongest_prize = 2;

class TourSearch {
public:
    TourSearch(Data const& data, std::vector<std::size_t> const& customers, SearchOptions const& options,
               SearchClock& clock)
        : data_(data),
          customers_(customers),
          options_(options),
          clock_(clock),
          distance_(routing::exact_distances(data.locs)),
          limit_(data.max_length),
          visited_(data.locs.size(), 0) {}

    /// Greedy to begin with, unless there is a first tour.
    [[nodiscard]] FoundTour run() {
        if (customers_.empty()) return {};
        double mean_prize = 0;
        for (std::size_t const customer : customers_)
            mean_prize += double{data_.prize[customer]} / static_cast<double>(customers_.size());
        Rng first = rng_of(options_.seed, 0);
        Tour current = beginning();
        fill(current, first);
        shorten(current);
        fill(current, first);
        best_ = current;
        auto const enough = [&] { return options_.bound && best_.prize >= *options_.bound; };
        for (; !enough() && clock_.running_now(iterations_); ++iterations_) {
            Rng rng = rng_of(options_.seed, iterations_ + 1);
            Tour trial = current;
            remove_string(trial, rng);
            if (rng.uniform() < force_chance) force_in(trial, customers_[rng.below(customers_.size())]);
            shorten(trial);
            fill(trial, rng);
            shorten(trial);
            fill(trial, rng);
            double const temperature = mean_prize * hot * std::pow(cold / hot, clock_.fraction(iterations_));
            double const loss = -temperature * std::log(1 - rng.uniform());
            if (!better(trial, current) && trial.prize <= current.prize - loss) continue;
            current = std::move(trial);
            if (better(current, best_)) best_ = current;
        }
        return {best_.stops, false, iterations_};
    }

private:
    struct Tour {
        std::vector<std::size_t> stops; ///< customers; the depot is at both ends
        double length = 0;
        double prize = 0;
    };

    [[nodiscard]] Tour beginning() {
        Tour tour;
        if (!options_.start) return tour;
        for (auto const& route : std::get<Routes>(*options_.start).routes)
            for (std::size_t const customer : route) insert(tour, tour.stops.size(), customer);
        return tour;
    }

    [[nodiscard]] bool better(Tour const& a, Tour const& b) const {
        return a.prize > b.prize || (a.prize == b.prize && a.length < b.length);
    }

    [[nodiscard]] std::size_t at(Tour const& tour, std::size_t position) const {
        return position == 0 || position > tour.stops.size() ? 0 : tour.stops[position - 1];
    }

    [[nodiscard]] double detour(std::size_t before, std::size_t customer, std::size_t after) const {
        return distance_(before, customer) + distance_(customer, after) - distance_(before, after);
    }
    /// What a customer behind this position adds to the length.
    [[nodiscard]] double added(Tour const& tour, std::size_t position, std::size_t customer) const {
        return detour(at(tour, position), customer, at(tour, position + 1));
    }
    [[nodiscard]] std::size_t cheapest_position(Tour const& tour, std::size_t customer) const {
        std::size_t cheapest = 0;
        double least = added(tour, 0, customer);
        for (std::size_t position = 1; position <= tour.stops.size(); ++position) {
            double const here = added(tour, position, customer);
            if (here >= least) continue;
            least = here;
            cheapest = position;
        }
        return cheapest;
    }

    void insert(Tour& tour, std::size_t position, std::size_t customer) {
        tour.length += added(tour, position, customer);
        tour.prize += double{data_.prize[customer]};
        tour.stops.insert(tour.stops.begin() + static_cast<std::ptrdiff_t>(position), customer);
    }

    /// `position` counts from 1: the depot stays.
    void remove(Tour& tour, std::size_t position) {
        std::size_t const customer = at(tour, position);
        tour.stops.erase(tour.stops.begin() + static_cast<std::ptrdiff_t>(position) - 1);
        tour.length -= added(tour, position - 1, customer);
        tour.prize -= double{data_.prize[customer]};
    }

    void remove_string(Tour& tour, Rng& rng) {
        if (tour.stops.empty()) return;
        auto const size = static_cast<double>(tour.stops.size());
        auto const longest = static_cast<std::uint64_t>(std::max(1.0, std::min(longest_string, longest_share * size)));
        std::size_t const count = 1 + rng.below(longest);
        std::size_t const first = 1 + rng.below(tour.stops.size() - count + 1);
        for (std::size_t i = 0; i < count; ++i) remove(tour, first);
    }

    /// Puts a customer in at its cheapest place, and those out again whose prize is worth the least for their detour,
    /// until the tour fits.
    void force_in(Tour& tour, std::size_t customer) {
        if (std::ranges::find(tour.stops, customer) != tour.stops.end()) return;
        insert(tour, cheapest_position(tour, customer), customer);
        while (tour.length > limit_ && tour.stops.size() > 1) {
            std::size_t worst = 0;
            double worst_rate = std::numeric_limits<double>::infinity();
            for (std::size_t position = 1; position <= tour.stops.size(); ++position) {
                std::size_t const stop = at(tour, position);
                if (stop == customer) continue;
                double const saved = detour(at(tour, position - 1), stop, at(tour, position + 1));
                double const rate = double{data_.prize[stop]} / std::max(saved, 1e-12);
                if (rate >= worst_rate) continue;
                worst_rate = rate;
                worst = position;
            }
            remove(tour, worst);
        }
    }

    /// Two-opt until nothing gets shorter, then the length again from the beginning: no rounding piles up.
    void shorten(Tour& tour) const {
        std::size_t const size = tour.stops.size();
        for (bool improved = true; improved;) {
            improved = false;
            for (std::size_t i = 0; i + 1 < size; ++i) {
                for (std::size_t j = i + 1; j < size; ++j) {
                    std::size_t const before = at(tour, i);
                    std::size_t const first = at(tour, i + 1);
                    std::size_t const last = at(tour, j + 1);
                    std::size_t const after = at(tour, j + 2);
                    double const now = distance_(before, first) + distance_(last, after);
                    double const then = distance_(before, last) + distance_(first, after);
                    if (then >= now - 1e-12 * limit_) continue;
                    std::reverse(tour.stops.begin() + static_cast<std::ptrdiff_t>(i),
                                 tour.stops.begin() + static_cast<std::ptrdiff_t>(j) + 1);
                    improved = true;
                }
            }
        }
        tour.length = 0;
        for (std::size_t position = 0; position <= size; ++position)
            tour.length += distance_(at(tour, position), at(tour, position + 1));
    }

    /// Puts in whoever fits and has most prize for its detour, with a new weight between the two every time.
    void fill(Tour& tour, Rng& rng) {
        double const power = rng.uniform(weakest_prize, strongest_prize);
        std::ranges::fill(visited_, std::uint8_t{0});
        for (std::size_t const stop : tour.stops) visited_[stop] = 1;
        for (;;) {
            std::size_t chosen = 0;
            std::size_t place = 0;
            double best_rate = 0;
            for (std::size_t const customer : customers_) {
                if (visited_[customer]) continue;
                std::size_t const cheapest = cheapest_position(tour, customer);
                double const least = added(tour, cheapest, customer);
                // A little inside the limit: lengths are kept by adding and subtracting.
                if (tour.length + least > limit_ * (1 - 1e-12)) continue;
                double const rate = std::pow(double{data_.prize[customer]}, power) / std::max(least, 1e-12);
                if (rate <= best_rate) continue;
                best_rate = rate;
                chosen = customer;
                place = cheapest;
            }
            if (chosen == 0) return;
            insert(tour, place, chosen);
            visited_[chosen] = 1;
        }
    }

    Data const& data_;
    std::vector<std::size_t> const& customers_;
    SearchOptions const& options_;
    SearchClock& clock_;
    Matrix<double> distance_;
    double limit_;
    std::vector<std::uint8_t> visited_; ///< by node, for the tour that is being changed
    Tour best_;
    std::uint64_t iterations_ = 0;
};

} // namespace

FoundTour good_tour(Data const& data, std::vector<std::size_t> const& customers, SearchOptions const& options,
                    SearchClock& clock) {
    return TourSearch(data, customers, options, clock).run();
}

} // namespace cax::op
