#include "giant_tour.hpp"

#include "../whole_numbers.hpp"
#include "check.hpp"
#include "families.hpp"

#include "cax/core/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace cax::cvrptw {
namespace {

/// Clocks and loads of a model stay below 2^bits. Bin packing takes time in proportion to loads.
constexpr int clock_bits = 20;
constexpr int load_bits = 16;
/// Whole units up to here: a unit is then far more than the checker's tolerance, so counting them is exact.
constexpr double largest_whole_capacity = 1 << load_bits;

class TourWriter {
public:
    TourWriter(Data const& data, Beginning const& begun, std::size_t vehicles, Rounding rounding);
    [[nodiscard]] DecisionModel write() &&;

private:
    // Places of the tour: customers 0..n-1, then vehicle k leaves from n+k; n+V closes the last route.
    [[nodiscard]] std::size_t customers() const { return begun_.left.size(); }
    [[nodiscard]] std::size_t depot(std::size_t vehicle) const { return customers() + vehicle; }
    [[nodiscard]] std::size_t places() const { return customers() + vehicles_ + 1; }
    [[nodiscard]] std::size_t node(std::size_t place) const;
    [[nodiscard]] std::string label(std::size_t place) const { return fmt::format("customer {}", begun_.left[place]); }
    [[nodiscard]] bool is_customer(std::size_t place) const { return place < customers(); }

    void measure();
    void measure_loads();
    void add_variables();
    void add_tour();
    void add_clocks();
    void add_loads();
    void add_impossible_arcs();
    void add_rivals();
    void add_branching();
    [[nodiscard]] bool can_follow(std::size_t a, std::size_t b) const;
    [[nodiscard]] bool can_share(std::size_t a, std::size_t b) const;
    [[nodiscard]] bool can_join(std::size_t a) const;
    std::size_t constant(std::int64_t value, std::string name) {
        return model_.add_variable(value, value, std::move(name));
    }

    Data const& data_;
    Beginning const& begun_;
    std::size_t vehicles_;
    Rounding rounding_;
    Vehicle under_way_;
    Tolerances slack_;
    ConstraintModel model_;

    std::int64_t horizon_ = 0;
    Matrix<std::int64_t> travel_; ///< between places
    // Per customer, in whole numbers.
    std::vector<std::int64_t> open_;
    std::vector<std::int64_t> deadline_;
    std::vector<std::int64_t> service_;
    std::vector<std::int64_t> size_;
    std::int64_t size_under_way_ = 0;
    std::int64_t start_under_way_ = 0;
    std::int64_t room_ = 0; ///< of a vehicle
    // Variables.
    std::vector<std::size_t> successor_;
    std::vector<std::size_t> predecessor_;
    std::vector<std::size_t> arrival_;   ///< start of service, per customer
    std::vector<std::size_t> departure_; ///< per place
    std::vector<std::size_t> vehicle_;   ///< per place
};

TourWriter::TourWriter(Data const& data, Beginning const& begun, std::size_t vehicles, Rounding rounding)
    : data_(data),
      begun_(begun),
      vehicles_(std::min(vehicles, begun.left.size() + (begun.under_way.empty() ? 0 : 1))),
      rounding_(rounding),
      under_way_(drive(data, begun.under_way)),
      slack_(tolerances(data, rounding)) {}

std::size_t TourWriter::node(std::size_t place) const {
    if (is_customer(place)) return begun_.left[place];
    return place == depot(0) ? under_way_.node : 0;
}

/// Every number of the model, rounded.
void TourWriter::measure() {
    std::size_t const n = customers();
    Matrix<double> distance(places(), places());
    double farthest = 0;
    for (std::size_t a = 0; a < places(); ++a) {
        for (std::size_t b = 0; b < places(); ++b) {
            // The depot of vehicle 0 is where that vehicle is; coming back to a depot is coming home.
            Point const from = data_.locs[node(a)];
            Point const to = data_.locs[is_customer(b) ? node(b) : 0];
            distance(a, b) = std::hypot(double{from.x} - to.x, double{from.y} - to.y);
            farthest = std::max(farthest, distance(a, b));
        }
    }
    // Nobody needs a clock beyond this, however late the depot closes.
    double latest = under_way_.time + farthest;
    for (std::size_t i = 0; i < n; ++i) latest = std::max(latest, double{data_.time_windows[node(i)].open});
    for (std::size_t i = 0; i < n; ++i) latest += double{data_.durations[node(i)]} + farthest;
    latest = std::min(latest, std::max(double{data_.time_windows[0].close}, 0.0)) + 1;
    WholeNumbers const clock(latest, clock_bits, rounding_);
    horizon_ = clock.limit(latest, slack_.time);

    travel_ = Matrix<std::int64_t>(places(), places());
    for (std::size_t a = 0; a < places(); ++a) {
        for (std::size_t b = 0; b < places(); ++b) travel_(a, b) = clock.spent(distance(a, b));
    }
    measure_loads();
    start_under_way_ = clock.spent(under_way_.time);
    for (std::size_t i = 0; i < n; ++i) {
        Window const& window = data_.time_windows[node(i)];
        double const service = data_.durations[node(i)];
        // Home in time, too: by the triangle inequality going on first only makes it later.
        double const way_home = service + distance(i, depot(vehicles_));
        double const home = double{data_.time_windows[0].close} - way_home;
        open_.push_back(clock.spent(std::clamp(double{window.open}, 0.0, latest)));
        deadline_.push_back(clock.limit(std::min({double{window.close}, home, latest}), slack_.time));
        if (rounding_ == Rounding::strict) {
            std::int64_t const last = clock.limit(std::min(double{data_.time_windows[0].close}, latest), 0);
            deadline_.back() = std::min(deadline_.back(), last - clock.spent(service) - travel_(i, depot(vehicles_)));
        }
        service_.push_back(clock.spent(service));
    }
}

/// In whole units of the capacity where the instance has them, else in rounded fractions.
void TourWriter::measure_loads() {
    bool whole = data_.capacity <= largest_whole_capacity && data_.capacity == std::trunc(data_.capacity);
    for (std::size_t c = 1; c < data_.locs.size(); ++c) {
        double const units = demand_in_units(data_, c);
        whole = whole && units == std::trunc(units);
    }
    double total = static_cast<double>(vehicles_) + under_way_.load;
    for (std::size_t const customer : begun_.left) total += double{data_.demand[customer - 1]};
    WholeNumbers const load(total, load_bits, rounding_);
    auto const size_of = [&](std::size_t customer) {
        return whole ? static_cast<std::int64_t>(demand_in_units(data_, customer))
                     : load.spent(double{data_.demand[customer - 1]});
    };
    // The checker's tolerance belongs to the rule: demands of a full vehicle are rounded, too.
    room_ = whole ? static_cast<std::int64_t>(data_.capacity) : load.limit(1 + load_tolerance, load_tolerance);
    for (std::size_t const customer : begun_.left) size_.push_back(size_of(customer));
    for (std::size_t const customer : begun_.under_way) size_under_way_ += size_of(customer);
}

void TourWriter::add_variables() {
    auto const last = static_cast<std::int64_t>(places()) - 1;
    for (std::size_t p = 0; p < places(); ++p) {
        successor_.push_back(model_.add_variable(0, last, fmt::format("successor of place {}", p)));
        predecessor_.push_back(model_.add_variable(0, last, fmt::format("predecessor of place {}", p)));
    }
    for (std::size_t i = 0; i < customers(); ++i) {
        arrival_.push_back(model_.add_variable(0, horizon_, "start at " + label(i)));
        departure_.push_back(arrival_.back());
        if (service_[i] == 0) continue;
        departure_.back() = model_.add_variable(0, horizon_ + service_[i], "departure from " + label(i));
        model_.add(LinearRule{{{departure_.back(), 1}, {arrival_.back(), -1}}, service_[i], service_[i]}, no_family,
                   label(i) + " is served");
    }
    for (std::size_t i = 0; i < customers(); ++i) {
        vehicle_.push_back(model_.add_variable(0, static_cast<std::int64_t>(vehicles_) - 1, "vehicle of " + label(i)));
    }
    for (std::size_t k = 0; k <= vehicles_; ++k) {
        bool const begun = k == 0 && !begun_.under_way.empty();
        departure_.push_back(constant(begun ? start_under_way_ : 0, "departure of a vehicle"));
        vehicle_.push_back(constant(static_cast<std::int64_t>(std::min(k, vehicles_ - 1)), "vehicle"));
    }
}

/// One closed tour; vehicles in their order, each route between its own depots.
void TourWriter::add_tour() {
    model_.add(Circuit{successor_, predecessor_}, spatial, "every customer is visited once, by one of the vehicles");
    auto const fixed = [&](std::size_t variable, std::size_t place) {
        auto const value = static_cast<std::int64_t>(place);
        model_.add(LinearRule{{{variable, 1}}, value, value}, no_family, "the tour closes");
    };
    fixed(successor_[depot(vehicles_)], depot(0));
    fixed(predecessor_[depot(0)], depot(vehicles_));
    for (std::size_t p = 0; p < places(); ++p) {
        std::vector<std::int64_t> before;
        std::vector<std::int64_t> after;
        for (std::size_t q = 0; q < places(); ++q) {
            if (is_customer(p) ? (is_customer(q) && q != p) || (!is_customer(q) && q != depot(vehicles_))
                               : is_customer(q) || q + 1 == p) {
                before.push_back(static_cast<std::int64_t>(q));
            }
            if (is_customer(p) ? (is_customer(q) && q != p) || (!is_customer(q) && q != depot(0))
                               : is_customer(q) || q == p + 1) {
                after.push_back(static_cast<std::int64_t>(q));
            }
        }
        if (p != depot(0)) model_.add(AllowedValues{predecessor_[p], before}, no_family, "who can come before");
        if (p != depot(vehicles_)) model_.add(AllowedValues{successor_[p], after}, no_family, "who can come after");
    }
    for (std::size_t i = 0; i < customers(); ++i) {
        model_.add(VariableElement{predecessor_[i], vehicle_, vehicle_[i]}, no_family,
                   label(i) + " is on the vehicle of its predecessor");
    }
    for (std::size_t k = 0; k < vehicles_; ++k) {
        model_.add(VariableElement{predecessor_[depot(k + 1)], vehicle_, vehicle_[depot(k)]}, no_family,
                   fmt::format("vehicle {} comes home", k + 1));
    }
}

void TourWriter::add_clocks() {
    for (std::size_t i = 0; i < customers(); ++i) {
        model_.add(LinearRule{{{arrival_[i], 1}}, open_[i]}, time_window, label(i) + ": not before its window opens");
        model_.add(LinearRule{{{arrival_[i], 1}}, -largest_model_number, deadline_[i]}, time_window,
                   label(i) + ": before its window closes, and home in time");
        std::vector<std::int64_t> ways;
        for (std::size_t p = 0; p < places(); ++p) ways.push_back(travel_(p, i));
        auto const [shortest, longest] = std::ranges::minmax(ways);
        std::size_t const way = model_.add_variable(shortest, longest, "way to " + label(i));
        std::size_t const left = model_.add_variable(0, 2 * horizon_, "departure before " + label(i));
        model_.add(TableElement{predecessor_[i], ways, way}, no_family, "the way to " + label(i));
        model_.add(VariableElement{predecessor_[i], departure_, left}, no_family, "the departure to " + label(i));
        model_.add(LinearRule{{{arrival_[i], 1}, {left, -1}, {way, -1}}, 0}, time_window,
                   label(i) + ": not before the vehicle gets there");
    }
}

void TourWriter::add_loads() {
    BinPacking packing;
    std::int64_t const total = std::accumulate(size_.begin(), size_.end(), size_under_way_);
    for (std::size_t i = 0; i < customers(); ++i) {
        packing.bins.push_back(vehicle_[i]);
        packing.sizes.push_back(size_[i]);
    }
    if (size_under_way_ > 0) {
        packing.bins.push_back(vehicle_[depot(0)]);
        packing.sizes.push_back(size_under_way_);
    }
    for (std::size_t k = 0; k < vehicles_; ++k) {
        packing.loads.push_back(model_.add_variable(0, total, fmt::format("load of vehicle {}", k + 1)));
        model_.add(LinearRule{{{packing.loads.back(), 1}}, -largest_model_number, room_}, capacity,
                   fmt::format("vehicle {} carries what it can", k + 1));
    }
    model_.add(std::move(packing), capacity, "loads are what the customers of a vehicle want");
}

/// b after a on one vehicle; by the triangle inequality whoever comes between them only makes it later.
bool TourWriter::can_follow(std::size_t a, std::size_t b) const {
    if (a == b || size_[a] + size_[b] > room_) return false;
    std::int64_t const from_depot = travel_(depot(vehicles_), a);
    std::int64_t const earliest =
        begun_.under_way.empty() ? std::max(open_[a], from_depot)
                                 : std::max(open_[a], std::min(from_depot, start_under_way_ + travel_(depot(0), a)));
    return earliest + service_[a] + travel_(a, b) <= deadline_[b];
}

bool TourWriter::can_share(std::size_t a, std::size_t b) const { return can_follow(a, b) || can_follow(b, a); }

/// Right after what vehicle 0 has done so far.
bool TourWriter::can_join(std::size_t a) const {
    return start_under_way_ + travel_(depot(0), a) <= deadline_[a] && size_under_way_ + size_[a] <= room_;
}

void TourWriter::add_impossible_arcs() {
    for (std::size_t b = 0; b < customers(); ++b) {
        std::vector<std::int64_t> before;
        for (std::size_t a = 0; a < places(); ++a) {
            if (is_customer(a) && !can_follow(a, b)) continue;
            if (a == depot(0) && !can_join(b)) continue;
            before.push_back(static_cast<std::int64_t>(a));
        }
        model_.add_implied(AllowedValues{predecessor_[b], before}, "who can come before " + label(b) + " in time");
    }
}

/// Customers of whom no two can share a vehicle get vehicles of their own: it does not matter which, but for the one
/// that is under way.
void TourWriter::add_rivals() {
    std::size_t const n = customers();
    std::vector<std::size_t> rivals(n, 0);
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) rivals[a] += a != b && !can_share(a, b) ? 1 : 0;
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t a) { return rivals[a]; });
    std::vector<std::size_t> group;
    for (std::size_t const a : order) {
        if (std::ranges::none_of(group, [&](std::size_t b) { return can_share(a, b); })) group.push_back(a);
    }
    if (group.size() > vehicles_) {
        model_.add_implied(LinearRule{{}, 1}, fmt::format("{} customers cannot share vehicles", group.size()));
        return;
    }
    bool const begun = !begun_.under_way.empty();
    std::int64_t vehicle = begun ? 1 : 0;
    for (std::size_t const a : group) {
        if (begun && can_join(a)) continue;
        model_.add_implied(LinearRule{{{vehicle_[a], 1}}, vehicle, vehicle}, "vehicles are alike");
        ++vehicle;
    }
}

/// The customer that has caused most failures, after its nearest possible predecessor.
void TourWriter::add_branching() {
    Branching hint{{}, Branching::Pick::fewest_per_failure};
    for (std::size_t i = 0; i < customers(); ++i) {
        hint.variables.push_back(predecessor_[i]);
        std::vector<std::int64_t> costs;
        for (std::size_t p = 0; p < places(); ++p) {
            std::int64_t const ready = is_customer(p) ? open_[p] + service_[p] : 0;
            std::int64_t const wait = std::max<std::int64_t>(0, open_[i] - ready - travel_(p, i));
            costs.push_back(travel_(p, i) + (is_customer(p) ? wait / 2 : horizon_ / 4));
        }
        hint.costs.push_back(std::move(costs));
    }
    model_.branchings.push_back(std::move(hint));
    model_.branchings.push_back({successor_, Branching::Pick::in_order});
}

DecisionModel TourWriter::write() && {
    measure();
    add_variables();
    add_tour();
    add_clocks();
    add_loads();
    add_impossible_arcs();
    add_rivals();
    add_branching();
    auto read = [successor = successor_, begun = begun_, vehicles = vehicles_](std::span<std::int64_t const> x) {
        std::size_t const n = begun.left.size();
        Routes solution{begun.finished};
        for (std::size_t k = 0; k < vehicles; ++k) {
            std::vector<std::size_t> route = k == 0 ? begun.under_way : std::vector<std::size_t>{};
            for (auto p = static_cast<std::size_t>(x[successor[n + k]]); p < n;) {
                route.push_back(begun.left[p]);
                p = static_cast<std::size_t>(x[successor[p]]);
            }
            if (!route.empty()) solution.routes.push_back(std::move(route));
        }
        return Solution{std::move(solution)};
    };
    return {std::move(model_), std::move(read)};
}

} // namespace

Tolerances tolerances(Data const& data, Rounding rounding) {
    if (rounding == Rounding::strict) return {0, load_tolerance}; // full vehicles exceed 1 by rounding
    double latest = 0;
    for (Window const& window : data.time_windows) latest = std::max(latest, std::fabs(double{window.close}));
    return {2 * time_tolerance * latest + 1e-9, 2 * load_tolerance};
}

DecisionModel giant_tour(Data const& data, Beginning const& begun, std::size_t vehicles, Rounding rounding) {
    return TourWriter(data, begun, vehicles, rounding).write();
}

} // namespace cax::cvrptw
