#include "fleet.hpp"

#include "../distances.hpp"
#include "../problem.hpp"
#include "../state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace cax::routing {

double default_capacity(std::size_t customers) {
    constexpr std::array<double, 14> sizes{10, 15, 20, 30, 40, 50, 60, 75, 100, 125, 150, 200, 500, 1000};
    constexpr std::array<double, 14> capacities{20, 25, 30, 33, 37, 40, 43, 45, 50, 55, 60, 70, 100, 150};
    auto const away = [&](double size) { return std::abs(size - static_cast<double>(customers)); };
    return capacities[static_cast<std::size_t>(std::ranges::min_element(sizes, {}, away) - sizes.begin())];
}

double FleetData::leg(std::size_t from, std::size_t to) const {
    return rule(arc_length(locs[from], locs[to]), from, to);
}

Matrix<double> FleetData::legs() const {
    Matrix<double> table(locs.size(), locs.size());
    for (std::size_t i = 0; i < locs.size(); ++i) {
        for (std::size_t j = 0; j < locs.size(); ++j) table(i, j) = leg(i, j);
    }
    return table;
}

FleetData FleetData::part(std::span<std::size_t const> nodes) const {
    FleetData part{.name = name, .capacity = capacity, .integral_windows = integral_windows, .rule = rule};
    for (std::size_t const node : nodes) {
        part.locs.push_back(locs[node]);
        part.time_windows.push_back(time_windows[node]);
        part.durations.push_back(durations[node]);
        if (node > 0) part.demand.push_back(demand[node - 1]);
    }
    return part;
}

FleetData FleetInstance::fleet_to_solve() const {
    FleetData data = fleet();
    data.rule = problem_of(*this).leg_rule();
    return data;
}

Tolerances tolerances(Rounding rounding) {
    if (rounding == Rounding::strict) return {0, load_tolerance}; // full vehicles exceed 1 by rounding
    return {2 * time_tolerance, 2 * load_tolerance};
}

Vehicle drive(FleetData const& data, std::span<std::size_t const> customers, Tolerances const& slack) {
    Vehicle vehicle;
    auto const arrive = [&](double arrival, std::size_t node) {
        double const late = arrival - slack.time * arrival - double{data.time_windows[node].close};
        vehicle.lateness = std::max(vehicle.lateness, late);
    };
    for (std::size_t const customer : customers) {
        double const way = data.leg(vehicle.node, customer);
        double const arrival = vehicle.time + way;
        arrive(arrival, customer);
        vehicle.length += way;
        vehicle.time = std::max(arrival, double{data.time_windows[customer].open}) + double{data.durations[customer]};
        vehicle.load += double{data.demand[customer - 1]};
        vehicle.node = customer;
    }
    vehicle.overload = std::max(0.0, vehicle.load - 1 - slack.load);
    if (!customers.empty()) arrive(vehicle.time + data.leg(vehicle.node, 0), 0);
    return vehicle;
}

double demand_in_units(FleetData const& data, std::size_t customer) {
    return in_units(data.demand[customer - 1], data.capacity);
}

std::optional<VehicleModel> FleetInstance::vehicle_model() const {
    if (!problem_of(*this).comes_home()) return std::nullopt; // bounds of the exact method count ways home
    FleetData const data = fleet();
    std::size_t const nodes = data.locs.size();
    VehicleModel model{.distance = exact_distances(data.locs),
                       .travel = Matrix<double>(nodes, nodes),
                       .demand = std::vector<double>(nodes, 0),
                       .largest_load = 1 + load_tolerance,
                       .open = std::vector<double>(nodes, 0),
                       .latest = std::vector<double>(nodes, 0),
                       .service = std::vector<double>(nodes, 0)};
    for (std::size_t i = 1; i < nodes; ++i) model.demand[i] = double{data.demand[i - 1]};
    if (!families().timed()) return model; // a clock that stands still is never late
    model.travel = model.distance;
    for (std::size_t i = 0; i < nodes; ++i) {
        model.open[i] = double{data.time_windows[i].open};
        model.latest[i] = double{data.time_windows[i].close} / (1 - time_tolerance);
        model.service[i] = double{data.durations[i]};
    }
    return model;
}

/// From the definition; shares nothing with the decision model.
CheckReport FleetInstance::check_answer(Solution const& solution, Question const& question) const {
    CheckReport report = check(solution);
    auto const* routes = std::get_if<Routes>(&solution);
    if (routes == nullptr) return report;
    auto const vehicles = std::ranges::count_if(routes->routes, [](auto const& route) { return !route.empty(); });
    if (question.bound && !(static_cast<double>(vehicles) <= *question.bound)) {
        report.violations.push_back(fmt::format("there are {} routes, more than {}", vehicles, *question.bound));
    }
    if (question.cost_bound && !(report.cost <= *question.cost_bound * (1 + length_tolerance))) {
        report.violations.push_back(
            fmt::format("the routes are {:.9g} long, more than {:.9g}", report.cost, *question.cost_bound));
    }
    auto missing = missing_of(question.prefix, *routes);
    report.violations.insert(report.violations.end(), missing.begin(), missing.end());
    return report;
}

} // namespace cax::routing
