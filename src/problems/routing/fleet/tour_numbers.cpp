#include "giant_tour.hpp"

#include "../../whole_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace cax::routing {
namespace {

/// Clocks and loads of a model stay below 2^bits. Bin packing takes time in proportion to loads.
constexpr int clock_bits = 20;
constexpr int load_bits = 16;
/// Whole units up to here: a unit is then more than twice the checker's tolerance, so counting them is exact.
constexpr double largest_whole_capacity = 1 << 15;
static_assert(largest_whole_capacity * 2 * load_tolerance < 1);

Matrix<double> exact_ways(FleetData const& data, Prefix const& prefix, TourNumbers const& numbers, std::size_t start) {
    auto const node = [&](std::size_t place) { return numbers.is_customer(place) ? prefix.left[place] : 0; };
    Matrix<double> ways(numbers.places(), numbers.places());
    for (std::size_t a = 0; a < numbers.places(); ++a) {
        // The depot of vehicle 0 is where that vehicle is; coming back to a depot is coming home.
        std::size_t const from = a == numbers.depot(0) ? start : node(a);
        for (std::size_t b = 0; b < numbers.places(); ++b) ways(a, b) = data.leg(from, node(b));
    }
    return ways;
}

/// Nobody needs a clock beyond this, however late the depot closes.
double latest_moment(FleetData const& data, Prefix const& prefix, Matrix<double> const& ways, double start) {
    double farthest = 0;
    for (std::size_t a = 0; a < ways.rows(); ++a) {
        for (std::size_t b = 0; b < ways.cols(); ++b) farthest = std::max(farthest, ways(a, b));
    }
    double latest = start + farthest;
    for (std::size_t const c : prefix.left) latest = std::max(latest, double{data.time_windows[c].open});
    for (std::size_t const c : prefix.left) latest += double{data.durations[c]} + farthest;
    double const longest = std::min(latest, std::max(double{data.time_windows[0].close}, 0.0));
    return longest * (1 + 10 * time_tolerance);
}

void measure_clocks(FleetData const& data, Prefix const& prefix, Vehicle const& vehicle, std::optional<double> length,
                    Rounding rounding, TourNumbers& numbers) {
    Matrix<double> const ways = exact_ways(data, prefix, numbers, vehicle.node);
    double const latest = latest_moment(data, prefix, ways, vehicle.time);
    double const stretch = 1 + tolerances(rounding).time; // of the moments that somebody may arrive at
    double const depot_closes = stretch * double{data.time_windows[0].close};
    WholeNumbers const clock(latest, clock_bits, rounding);
    numbers.horizon = clock.limit(latest, 0);
    numbers.start_under_way = clock.spent(vehicle.time);
    numbers.travel = Matrix<std::int64_t>(numbers.places(), numbers.places());
    for (std::size_t a = 0; a < numbers.places(); ++a) {
        for (std::size_t b = 0; b < numbers.places(); ++b) numbers.travel(a, b) = clock.spent(ways(a, b));
    }
    if (length) numbers.length_left = clock.limit(*length, 0);
    std::size_t const home = numbers.depot(numbers.vehicles);
    for (std::size_t i = 0; i < numbers.customers; ++i) {
        Window const& window = data.time_windows[prefix.left[i]];
        double const service = data.durations[prefix.left[i]];
        // Home in time, too: by the triangle inequality going on first only makes it later.
        double const leave_by = depot_closes - service - ways(i, home);
        std::int64_t deadline = clock.limit(std::min({stretch * double{window.close}, leave_by, latest}), 0);
        if (rounding == Rounding::strict) {
            std::int64_t const last = clock.limit(std::min(depot_closes, latest), 0);
            deadline = std::min(deadline, last - clock.spent(service) - numbers.travel(i, home));
        }
        numbers.open.push_back(clock.spent(std::clamp(double{window.open}, 0.0, latest)));
        numbers.deadline.push_back(deadline);
        numbers.service.push_back(clock.spent(service));
    }
}

/// In whole units of the capacity where the instance has them, else in rounded fractions.
void measure_loads(FleetData const& data, Prefix const& prefix, Rounding rounding, TourNumbers& numbers) {
    bool whole = data.capacity <= largest_whole_capacity && data.capacity == std::trunc(data.capacity);
    double total = static_cast<double>(numbers.vehicles);
    for (std::size_t c = 1; c < data.locs.size(); ++c) {
        double const units = demand_in_units(data, c);
        whole = whole && units == std::trunc(units);
        total += double{data.demand[c - 1]};
    }
    WholeNumbers const load(total, load_bits, rounding);
    auto const size_of = [&](std::size_t customer) {
        return whole ? static_cast<std::int64_t>(demand_in_units(data, customer))
                     : load.spent(double{data.demand[customer - 1]});
    };
    // The checker's tolerance belongs to the rule: demands of a full vehicle are rounded, too.
    numbers.room = whole ? static_cast<std::int64_t>(data.capacity) : load.limit(1 + load_tolerance, load_tolerance);
    for (std::size_t const customer : prefix.left) numbers.size.push_back(size_of(customer));
    for (std::size_t const customer : prefix.under_way) numbers.size_under_way += size_of(customer);
}

} // namespace

bool TourNumbers::can_follow(std::size_t a, std::size_t b) const {
    if (a == b || size[a] + size[b] > room) return false;
    std::int64_t soonest = travel(depot(vehicles), a);
    if (under_way) soonest = std::min(soonest, start_under_way + travel(depot(0), a));
    return std::max(open[a], soonest) + service[a] + travel(a, b) <= deadline[b];
}

bool TourNumbers::can_join(std::size_t a) const {
    return start_under_way + travel(depot(0), a) <= deadline[a] && size_under_way + size[a] <= room;
}

TourNumbers tour_numbers(FleetData const& data, Prefix const& prefix, std::size_t vehicles,
                         std::optional<double> length, Rounding rounding) {
    TourNumbers numbers;
    numbers.customers = prefix.left.size();
    numbers.under_way = !prefix.under_way.empty();
    numbers.vehicles = std::min(vehicles, prefix.left.size() + (numbers.under_way ? 1 : 0));
    measure_clocks(data, prefix, drive(data, prefix.under_way, tolerances(rounding)), length, rounding, numbers);
    measure_loads(data, prefix, rounding, numbers);
    return numbers;
}

} // namespace cax::routing
