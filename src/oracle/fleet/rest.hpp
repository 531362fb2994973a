#pragma once
// What is left of a fleet's work after the first actions: customers that nobody has visited, and at most one vehicle
// under way. Customers have local numbers from 0; a bit of a CustomerSet is such a number. Where a vehicle is under way,
// the bit after the last customer stands for it: exactly one route goes on from there.
#include "cax/core/result.hpp"
#include "cax/problems/vehicle_model.hpp"

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cax::oracle {

using CustomerSet = std::uint64_t;
/// A set has a bit for each, and one for the vehicle under way.
inline constexpr std::size_t most_customers_left = 63;

[[nodiscard]] inline CustomerSet bit(std::size_t customer) { return CustomerSet{1} << customer; }

/// Calls visit(customer) for the members in ascending order.
template <class Visit> void for_each(CustomerSet set, Visit&& visit) {
    for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

/// Where a route begins.
struct Departure {
    double time = 0;
    double load = 0;
};

class Rest {
public:
    /// Error if an action is no node or a customer comes twice. With more than most_customers_left there are no sets.
    [[nodiscard]] static Result<Rest> after(VehicleModel const& model, std::span<std::size_t const> prefix);

    [[nodiscard]] std::size_t customers() const { return nodes_.size(); }
    [[nodiscard]] bool under_way() const { return !head_.empty(); }
    /// Customers, and the vehicle under way if there is one: rows that a set of routes must cover.
    [[nodiscard]] std::size_t rows() const { return customers() + (under_way() ? 1 : 0); }
    [[nodiscard]] std::size_t node(std::size_t customer) const { return nodes_[customer]; }
    [[nodiscard]] std::vector<std::size_t> const& head() const { return head_; }
    [[nodiscard]] std::vector<std::vector<std::size_t>> const& finished() const { return finished_; }
    /// Length of what has been driven.
    [[nodiscard]] double driven() const { return driven_; }
    /// Has a vehicle been too late or too full already?
    [[nodiscard]] bool broken() const { return broken_; }

    // By local number. Routes begin at the depot, or where the vehicle under way stands ("start").
    [[nodiscard]] double distance(std::size_t a, std::size_t b) const { return distance_(a, b); }
    [[nodiscard]] double travel(std::size_t a, std::size_t b) const { return travel_(a, b); }
    [[nodiscard]] double from_depot(std::size_t customer) const { return distance_(depot(), customer); }
    [[nodiscard]] double to_depot(std::size_t customer) const { return distance_(customer, depot()); }
    [[nodiscard]] double open(std::size_t customer) const { return open_[customer]; }
    [[nodiscard]] double latest(std::size_t customer) const { return latest_[customer]; }
    [[nodiscard]] double service(std::size_t customer) const { return service_[customer]; }
    [[nodiscard]] double demand(std::size_t customer) const { return demand_[customer]; }
    [[nodiscard]] double largest_load() const { return largest_load_; }
    [[nodiscard]] double latest_home() const { return latest_home_; }
    [[nodiscard]] Departure departure() const { return departure_; } ///< of the vehicle under way
    [[nodiscard]] std::size_t depot() const { return customers(); }
    [[nodiscard]] std::size_t start() const { return customers() + 1; } ///< as an index of distances
    /// The bit of the vehicle under way.
    [[nodiscard]] CustomerSet start_bit() const { return bit(customers()); }

    /// The length of a route through these customers, in order, from the depot or from the start. Nothing if it breaks
    /// a rule.
    [[nodiscard]] std::optional<double> length(std::span<std::size_t const> customers, bool continuation) const;

private:
    std::vector<std::size_t> nodes_;
    std::vector<std::size_t> head_;
    std::vector<std::vector<std::size_t>> finished_;
    double driven_ = 0;
    bool broken_ = false;
    Departure departure_;
    Matrix<double> distance_; ///< customers, depot, start
    Matrix<double> travel_;
    std::vector<double> demand_, open_, latest_, service_;
    double largest_load_ = 0;
    double latest_home_ = 0;
};

/// Of routes, as a set: the members and, for the one that goes on from the start, its bit.
struct Column {
    CustomerSet set = 0;
    double length = 0;
    std::vector<std::size_t> customers; ///< in order
    bool continuation = false;
};

/// The column of this route; nothing if it breaks a rule.
[[nodiscard]] std::optional<Column> column_of(Rest const& rest, std::vector<std::size_t> customers, bool continuation);

} // namespace cax::oracle
