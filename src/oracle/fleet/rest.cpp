#include "rest.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace cax::oracle {
namespace {

/// A vehicle that drives, by the exact clock.
struct Driver {
    explicit Driver(VehicleModel const& of) : model(&of) {}

    void go(std::size_t node) {
        length += model->distance(here, node);
        double const arrival = time + model->travel(here, node);
        broken = broken || arrival > model->latest[node];
        time = std::max(arrival, model->open[node]) + model->service[node];
        load += model->demand[node];
        broken = broken || load > model->largest_load;
        here = node;
    }

    VehicleModel const* model;
    std::size_t here = 0;
    double time = 0;
    double load = 0;
    double length = 0;
    bool broken = false;
};

} // namespace

Result<Rest> Rest::after(VehicleModel const& model, std::span<std::size_t const> prefix) {
    Rest rest;
    std::size_t const nodes = model.demand.size();
    std::vector<std::uint8_t> visited(nodes, 0);
    Driver driver(model);
    for (std::size_t const node : prefix) {
        if (node >= nodes || visited[node] != 0)
            return Error{ErrorCode::invalid_value, fmt::format("prefix: node {} does not exist or comes twice", node)};
        if (node == 0) {
            if (rest.head_.empty()) continue;
            driver.go(0);
            rest.driven_ += driver.length;
            rest.broken_ = rest.broken_ || driver.broken;
            rest.finished_.push_back(std::exchange(rest.head_, {}));
            driver = Driver(model);
            continue;
        }
        visited[node] = 1;
        rest.head_.push_back(node);
        driver.go(node);
    }
    rest.driven_ += driver.length;
    rest.broken_ = rest.broken_ || driver.broken;
    rest.departure_ = {driver.time, driver.load};
    for (std::size_t node = 1; node < nodes; ++node) {
        if (visited[node] == 0) rest.nodes_.push_back(node);
    }
    auto places = rest.nodes_;
    places.push_back(0);
    places.push_back(driver.here);
    rest.distance_ = Matrix<double>(places.size(), places.size());
    rest.travel_ = rest.distance_;
    for (std::size_t a = 0; a < places.size(); ++a) {
        for (std::size_t b = 0; b < places.size(); ++b) {
            rest.distance_(a, b) = model.distance(places[a], places[b]);
            rest.travel_(a, b) = model.travel(places[a], places[b]);
        }
    }
    for (std::size_t const node : rest.nodes_) {
        rest.demand_.push_back(model.demand[node]);
        rest.open_.push_back(model.open[node]);
        rest.latest_.push_back(model.latest[node]);
        rest.service_.push_back(model.service[node]);
    }
    rest.largest_load_ = model.largest_load;
    rest.latest_home_ = model.latest[0];
    return rest;
}

std::optional<double> Rest::length(std::span<std::size_t const> customers, bool continuation) const {
    std::size_t here = continuation ? start() : depot();
    double time = continuation ? departure_.time : 0;
    double load = continuation ? departure_.load : 0;
    double length = 0;
    for (std::size_t const customer : customers) {
        length += distance(here, customer);
        double const arrival = time + travel(here, customer);
        load += demand(customer);
        if (arrival > latest(customer) || load > largest_load_) return std::nullopt;
        time = std::max(arrival, open(customer)) + service(customer);
        here = customer;
    }
    if (time + travel(here, depot()) > latest_home_) return std::nullopt;
    return length + distance(here, depot());
}

std::optional<Column> column_of(Rest const& rest, std::vector<std::size_t> customers, bool continuation) {
    auto const length = rest.length(customers, continuation);
    if (!length) return std::nullopt;
    Column column{.set = continuation ? rest.start_bit() : 0,
                  .length = *length,
                  .customers = std::move(customers),
                  .continuation = continuation};
    for (std::size_t const customer : column.customers) column.set |= bit(customer);
    return column;
}

} // namespace cax::oracle
