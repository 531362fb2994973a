#pragma once
// A route with its clock, so that the search can ask in constant time whether one more customer fits and what it costs.
// Driving is by the exact clock, in double precision and without tolerance: what fits here passes every checker.
#include "fleet.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace cax::routing {

using Node = std::uint32_t;
inline constexpr Node depot = 0;

/// The instance's numbers in the form in which a search wants them: by node, in double precision.
struct Network {
    explicit Network(FleetData const& data);
    [[nodiscard]] std::size_t nodes() const { return demand.size(); }
    [[nodiscard]] double distance(Node from, Node to) const { return table[from * demand.size() + to]; }
    /// Does a vehicle of its own reach this customer in time and come back in time?
    [[nodiscard]] bool can_be_served(Node customer) const;

    std::vector<double> table;  ///< all legs, row by row
    std::vector<double> demand; ///< as a fraction of the capacity; 0 for the depot
    std::vector<double> open;
    std::vector<double> close;
    std::vector<double> service;
    std::vector<std::vector<Node>> nearest; ///< by customer: all customers, the nearest (itself) first
};

class TimedRoute {
public:
    explicit TimedRoute(Network const& network) { clear(network); }
    /// One that is under way: these customers have been visited, or will be next, and stay where they are.
    TimedRoute(Network const& network, std::vector<Node> const& head);

    [[nodiscard]] bool empty() const { return stops_.size() == 2; }
    /// The first so many customers stay.
    [[nodiscard]] std::size_t fixed() const { return fixed_; }
    /// Customers on it.
    [[nodiscard]] std::size_t size() const { return stops_.size() - 2; }
    /// Stop 0 and stop size() + 1 are the depot.
    [[nodiscard]] Node stop(std::size_t position) const { return stops_[position]; }
    [[nodiscard]] std::vector<Node> const& stops() const { return stops_; }
    [[nodiscard]] double length() const { return length_; }
    [[nodiscard]] bool has_room_for(Network const& network, Node customer) const;

    /// Can the customer be reached from stop `position` before its window closes? If not, then from no later stop
    /// either: driving on takes at least as long as driving straight there.
    [[nodiscard]] bool reaches(Network const& network, std::size_t position, Node customer) const {
        return departure_[position] + network.distance(stops_[position], customer) <= network.close[customer];
    }
    /// How much longer the route gets with the customer behind stop `position`; infinite if some window would be
    /// missed. Precondition: reaches().
    [[nodiscard]] double insertion_cost(Network const& network, std::size_t position, Node customer) const {
        Node const before = stops_[position];
        Node const after = stops_[position + 1];
        double const arrival = departure_[position] + network.distance(before, customer);
        double const leaving = std::max(arrival, network.open[customer]) + network.service[customer];
        double const onward = network.distance(customer, after);
        if (leaving + onward > latest_[position + 1]) return std::numeric_limits<double>::infinity();
        return network.distance(before, customer) + onward - network.distance(before, after);
    }

    void insert(Network const& network, std::size_t position, Node customer);
    /// Takes out the stops with mark 1; `marks` is by stop, depots included and 0.
    void remove(Network const& network, std::vector<std::uint8_t> const& marks);
    void clear(Network const& network);

    /// Is it new, or changed since it last counted as untouched?
    [[nodiscard]] bool touched() const { return touched_; }
    void count_as_untouched() { touched_ = false; }

private:
    void refresh(Network const& network);

    std::vector<Node> stops_;
    std::vector<double> departure_; ///< by stop: the earliest time at which the vehicle can drive on
    std::vector<double> latest_;    ///< by stop: the latest arrival with which all later windows are still met
    std::size_t fixed_ = 0;
    double length_ = 0;
    double load_ = 0;
    bool touched_ = true;
};

} // namespace cax::routing
