#include "timed_route.hpp"

#include <algorithm>

namespace cax::routing {

Network::Network(FleetData const& data)
    : demand(data.locs.size()),
      open(data.locs.size()),
      close(data.locs.size()),
      service(data.locs.size()),
      nearest(data.locs.size()) {
    auto const legs = data.legs();
    table.assign(legs.values().begin(), legs.values().end());
    for (std::size_t node = 0; node < data.locs.size(); ++node) {
        demand[node] = node == depot ? 0 : double{data.demand[node - 1]};
        open[node] = data.time_windows[node].open;
        close[node] = data.time_windows[node].close;
        service[node] = node == depot ? 0 : double{data.durations[node]};
    }
    for (Node from = 1; from < nodes(); ++from) {
        for (Node to = 1; to < nodes(); ++to) nearest[from].push_back(to);
        std::ranges::stable_sort(nearest[from], {}, [&](Node to) { return to == from ? -1 : distance(from, to); });
    }
}

bool Network::can_be_served(Node customer) const {
    double const way = distance(depot, customer);
    double const leaving = std::max(way, open[customer]) + service[customer];
    return demand[customer] <= 1 + load_tolerance && way <= close[customer] &&
           leaving + distance(customer, depot) <= close[depot];
}

TimedRoute::TimedRoute(Network const& network, std::vector<Node> const& head) : fixed_(head.size()) {
    stops_.assign({depot});
    stops_.insert(stops_.end(), head.begin(), head.end());
    stops_.push_back(depot);
    refresh(network);
}

bool TimedRoute::has_room_for(Network const& network, Node customer) const {
    return load_ + network.demand[customer] <= 1 + load_tolerance;
}

void TimedRoute::insert(Network const& network, std::size_t position, Node customer) {
    stops_.insert(stops_.begin() + static_cast<std::ptrdiff_t>(position) + 1, customer);
    refresh(network);
}

void TimedRoute::remove(Network const& network, std::vector<std::uint8_t> const& marks) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < stops_.size(); ++i)
        if (marks[i] == 0) stops_[kept++] = stops_[i];
    stops_.resize(kept);
    refresh(network);
}

void TimedRoute::clear(Network const& network) {
    stops_.assign({depot, depot});
    refresh(network);
}

void TimedRoute::refresh(Network const& network) {
    std::size_t const last = stops_.size() - 1;
    departure_.resize(stops_.size());
    latest_.resize(stops_.size());
    length_ = 0;
    load_ = 0;
    touched_ = true;
    departure_[0] = 0;
    for (std::size_t i = 1; i <= last; ++i) {
        Node const node = stops_[i];
        double const way = network.distance(stops_[i - 1], node);
        length_ += way;
        load_ += network.demand[node];
        departure_[i] = std::max(departure_[i - 1] + way, network.open[node]) + network.service[node];
    }
    latest_[last] = network.close[depot];
    for (std::size_t i = last; i-- > 0;) {
        Node const node = stops_[i];
        double const onward = latest_[i + 1] - network.distance(node, stops_[i + 1]) - network.service[node];
        latest_[i] = std::min(network.close[node], onward);
    }
}

} // namespace cax::routing
