#include "giant_tour.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace cax::routing {
namespace {

class TourWriter {
public:
    TourWriter(Prefix const& prefix, FleetFamilies const& families, TourNumbers numbers)
        : prefix_(prefix), families_(families), n_(std::move(numbers)) {}

    [[nodiscard]] DecisionModel write() && {
        add_variables();
        add_tour();
        add_vehicles();
        add_clocks();
        add_lengths();
        add_loads();
        add_impossible_arcs();
        add_rivals();
        add_branching();
        auto read = [successor = successor_, prefix = prefix_,
                     vehicles = n_.vehicles](std::span<std::int64_t const> x) {
            std::size_t const n = prefix.left.size();
            Routes solution{prefix.finished};
            for (std::size_t k = 0; k < vehicles; ++k) {
                std::vector<std::size_t> route = k == 0 ? prefix.under_way : std::vector<std::size_t>{};
                for (auto p = static_cast<std::size_t>(x[successor[n + k]]); p < n;) {
                    route.push_back(prefix.left[p]);
                    p = static_cast<std::size_t>(x[successor[p]]);
                }
                if (!route.empty()) solution.routes.push_back(std::move(route));
            }
            return Solution{std::move(solution)};
        };
        return {std::move(model_), std::move(read)};
    }

private:
    [[nodiscard]] std::string label(std::size_t place) const { return fmt::format("customer {}", prefix_.left[place]); }
    std::size_t constant(std::int64_t value, std::string name) {
        return model_.add_variable(value, value, std::move(name));
    }

    /// A variable for the way from a place's predecessor.
    std::size_t add_way_to(std::size_t place, std::string const& name, std::string sentence) {
        std::vector<std::int64_t> ways;
        for (std::size_t p = 0; p < n_.places(); ++p) ways.push_back(n_.travel(p, place));
        auto const [shortest, longest] = std::ranges::minmax(ways);
        std::size_t const way = model_.add_variable(shortest, longest, name);
        model_.add(TableElement{predecessor_[place], std::move(ways), way}, no_family, std::move(sentence));
        return way;
    }

    void add_variables() {
        auto const last = static_cast<std::int64_t>(n_.places()) - 1;
        for (std::size_t p = 0; p < n_.places(); ++p) {
            successor_.push_back(model_.add_variable(0, last, fmt::format("successor of place {}", p)));
            predecessor_.push_back(model_.add_variable(0, last, fmt::format("predecessor of place {}", p)));
        }
        for (std::size_t i = 0; i < n_.customers && families_.timed(); ++i) {
            arrival_.push_back(model_.add_variable(0, n_.horizon, "start at " + label(i)));
            departure_.push_back(arrival_.back());
            if (n_.service[i] == 0) continue;
            departure_.back() = model_.add_variable(0, n_.horizon + n_.service[i], "departure from " + label(i));
            model_.add(LinearRule{{{departure_.back(), 1}, {arrival_.back(), -1}}, n_.service[i], n_.service[i]},
                       no_family, label(i) + " is served");
        }
        for (std::size_t i = 0; i < n_.customers; ++i) {
            vehicle_.push_back(
                model_.add_variable(0, static_cast<std::int64_t>(n_.vehicles) - 1, "vehicle of " + label(i)));
        }
        for (std::size_t k = 0; k <= n_.vehicles; ++k) {
            bool const begun = k == 0 && n_.under_way;
            if (families_.timed())
                departure_.push_back(constant(begun ? n_.start_under_way : 0, "departure of a vehicle"));
            vehicle_.push_back(constant(static_cast<std::int64_t>(std::min(k, n_.vehicles - 1)), "vehicle"));
        }
    }

    /// Vehicles in their order, each route between its own depots.
    [[nodiscard]] bool may_precede(std::size_t before, std::size_t after) const {
        if (before == n_.depot(n_.vehicles) || after == n_.depot(0))
            return before == n_.depot(n_.vehicles) && after == n_.depot(0);
        if (!n_.is_customer(before) && !n_.is_customer(after)) return before + 1 == after; // an empty route
        return before != after;
    }

    void add_tour() {
        model_.add(Circuit{successor_, predecessor_}, families_.spatial,
                   "every customer is visited once, by one of the vehicles");
        for (std::size_t p = 0; p < n_.places(); ++p) {
            std::vector<std::int64_t> before;
            std::vector<std::int64_t> after;
            for (std::size_t q = 0; q < n_.places(); ++q) {
                if (may_precede(q, p)) before.push_back(static_cast<std::int64_t>(q));
                if (may_precede(p, q)) after.push_back(static_cast<std::int64_t>(q));
            }
            model_.add(AllowedValues{predecessor_[p], std::move(before)}, no_family, "who can come before");
            model_.add(AllowedValues{successor_[p], std::move(after)}, no_family, "who can come after");
        }
    }

    void add_vehicles() {
        for (std::size_t i = 0; i < n_.customers; ++i) {
            model_.add(VariableElement{predecessor_[i], vehicle_, vehicle_[i]}, no_family,
                       label(i) + " is on the vehicle of its predecessor");
        }
        for (std::size_t k = 0; k < n_.vehicles; ++k) {
            model_.add(VariableElement{predecessor_[n_.depot(k + 1)], vehicle_, vehicle_[n_.depot(k)]}, no_family,
                       fmt::format("vehicle {} comes home", k + 1));
        }
    }

    void add_clocks() {
        for (std::size_t i = 0; i < n_.customers && families_.timed(); ++i) {
            model_.add(LinearRule{{{arrival_[i], 1}}, n_.open[i]}, families_.time_window,
                       label(i) + ": not before its window opens");
            model_.add(LinearRule{{{arrival_[i], 1}}, -largest_model_number, n_.deadline[i]}, families_.time_window,
                       label(i) + ": before its window closes, and home in time");
            std::size_t const way = add_way_to(i, "way to " + label(i), "the way to " + label(i));
            std::size_t const left = model_.add_variable(0, 2 * n_.horizon, "departure before " + label(i));
            model_.add(VariableElement{predecessor_[i], departure_, left}, no_family, "the departure to " + label(i));
            model_.add(LinearRule{{{arrival_[i], 1}, {left, -1}, {way, -1}}, 0}, families_.time_window,
                       label(i) + ": not before the vehicle gets there");
        }
    }

    /// Every place is reached from its predecessor; the first depot from the last, which is no way at all.
    void add_lengths() {
        if (!n_.length_left) return;
        LinearRule total{{}, -largest_model_number, *n_.length_left};
        for (std::size_t p = 0; p < n_.places(); ++p) {
            if (p == n_.depot(0)) continue;
            std::size_t const way =
                add_way_to(p, fmt::format("length to place {}", p), fmt::format("the way to place {}", p));
            total.terms.push_back({way, 1});
        }
        model_.add(std::move(total), families_.spatial, "all routes together are short enough");
    }

    void add_loads() {
        BinPacking packing;
        std::int64_t const total = std::accumulate(n_.size.begin(), n_.size.end(), n_.size_under_way);
        for (std::size_t i = 0; i < n_.customers; ++i) {
            packing.bins.push_back(vehicle_[i]);
            packing.sizes.push_back(n_.size[i]);
        }
        if (n_.size_under_way > 0) {
            packing.bins.push_back(vehicle_[n_.depot(0)]);
            packing.sizes.push_back(n_.size_under_way);
        }
        for (std::size_t k = 0; k < n_.vehicles; ++k) {
            packing.loads.push_back(model_.add_variable(0, total, fmt::format("load of vehicle {}", k + 1)));
            model_.add(LinearRule{{{packing.loads.back(), 1}}, -largest_model_number, n_.room}, families_.capacity,
                       fmt::format("vehicle {} carries what it can", k + 1));
        }
        model_.add(std::move(packing), families_.capacity, "loads are what the customers of a vehicle want");
    }

    void add_impossible_arcs() {
        for (std::size_t b = 0; b < n_.customers; ++b) {
            std::vector<std::int64_t> before;
            for (std::size_t a = 0; a < n_.places(); ++a) {
                if (n_.is_customer(a) && !n_.can_follow(a, b)) continue;
                if (a == n_.depot(0) && n_.under_way && !n_.can_join(b)) continue;
                before.push_back(static_cast<std::int64_t>(a));
            }
            model_.add_implied(AllowedValues{predecessor_[b], before}, "who can come before " + label(b) + " in time");
        }
    }

    /// Customers of whom no two can share a vehicle: as many as a greedy choice finds.
    [[nodiscard]] std::vector<std::size_t> rivals() const {
        std::vector<std::size_t> opponents(n_.customers, 0);
        for (std::size_t a = 0; a < n_.customers; ++a) {
            for (std::size_t b = 0; b < n_.customers; ++b) opponents[a] += a != b && !n_.can_share(a, b) ? 1 : 0;
        }
        std::vector<std::size_t> order(n_.customers);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, std::greater{}, [&](std::size_t a) { return opponents[a]; });
        std::vector<std::size_t> group;
        for (std::size_t const a : order) {
            if (std::ranges::none_of(group, [&](std::size_t b) { return n_.can_share(a, b); })) group.push_back(a);
        }
        return group;
    }

    /// Rivals get vehicles of their own: it does not matter which, but for the one that is under way.
    void add_rivals() {
        std::vector<std::size_t> const group = rivals();
        if (group.size() > n_.vehicles) {
            model_.add_implied(LinearRule{{}, 1}, fmt::format("{} customers cannot share vehicles", group.size()));
            return;
        }
        std::int64_t vehicle = n_.under_way ? 1 : 0;
        for (std::size_t const a : group) {
            if (n_.under_way && n_.can_join(a)) continue;
            model_.add_implied(LinearRule{{{vehicle_[a], 1}}, vehicle, vehicle}, "vehicles are alike");
            ++vehicle;
        }
    }

    /// The customer that has caused most failures, after its nearest possible predecessor.
    void add_branching() {
        Branching hint{{}, Branching::Pick::fewest_per_failure};
        for (std::size_t i = 0; i < n_.customers; ++i) {
            hint.variables.push_back(predecessor_[i]);
            std::vector<std::int64_t> costs;
            for (std::size_t p = 0; p < n_.places(); ++p) {
                std::int64_t const ready = n_.is_customer(p) ? n_.open[p] + n_.service[p] : 0;
                std::int64_t const wait = std::max<std::int64_t>(0, n_.open[i] - ready - n_.travel(p, i));
                costs.push_back(n_.travel(p, i) + (n_.is_customer(p) ? wait / 2 : n_.horizon / 4));
            }
            hint.costs.push_back(std::move(costs));
        }
        model_.branchings.push_back(std::move(hint));
        model_.branchings.push_back({successor_, Branching::Pick::in_order});
    }

    Prefix const& prefix_;
    FleetFamilies const& families_;
    TourNumbers n_;
    ConstraintModel model_;
    // Variables.
    std::vector<std::size_t> successor_;
    std::vector<std::size_t> predecessor_;
    std::vector<std::size_t> arrival_;   ///< start of service, per customer
    std::vector<std::size_t> departure_; ///< per place
    std::vector<std::size_t> vehicle_;   ///< per place
};

} // namespace

DecisionModel giant_tour(FleetData const& data, Prefix const& prefix, std::size_t vehicles,
                         std::optional<double> length, FleetFamilies const& families, Rounding rounding) {
    return TourWriter(prefix, families, tour_numbers(data, prefix, vehicles, length, rounding)).write();
}

} // namespace cax::routing
