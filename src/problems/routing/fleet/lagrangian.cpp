// The Lagrangian relaxation behind the paper's negative control. It copies what it needs of the instance.
#include "fleet.hpp"

#include <algorithm>

namespace cax::routing {
namespace {

constexpr double full_vehicle = 1;

/// A nearest-neighbour tour on which late arrivals and overloads cost lambda per unit.
class SoftTour final : public LagrangianRelaxation {
public:
    SoftTour(FleetData data, FleetFamilies const& families)
        : data_(std::move(data)),
          families_(families),
          distance_(data_.legs()),
          settings_{.step = 1.5, .iterations = 40, .upper_bound = {}, .published_sign = -1, .dualised = {}} {
        settings_.dualised.assign(families.timed() ? 3 : 2, 1);
        settings_.dualised[families.spatial] = 0;
    }

    [[nodiscard]] AscentSettings const& settings() const override { return settings_; }
    [[nodiscard]] RelaxedSolution solve(std::span<double const> lambda) const override;

private:
    struct Vehicle {
        std::size_t node = 0;
        double time = 0;
        double load = 0;
    };
    struct Visit {
        double arrival = 0;
        double overload = 0;
        double lateness = 0;
    };
    [[nodiscard]] Visit visit(Vehicle const& vehicle, std::size_t customer) const {
        Window const window = data_.time_windows[customer];
        double const arrival = std::max(vehicle.time + distance_(vehicle.node, customer), double{window.open});
        return {arrival, std::max(0.0, vehicle.load + data_.demand[customer - 1] - full_vehicle),
                std::max(0.0, arrival - window.close)};
    }
    [[nodiscard]] std::size_t cheapest(Vehicle const& vehicle, std::span<double const> lambda,
                                       std::span<std::uint8_t const> visited) const;

    FleetData data_;
    FleetFamilies families_;
    Matrix<double> distance_;
    AscentSettings settings_;
};

/// The first of the cheapest unvisited customers; 0 if none is left.
std::size_t SoftTour::cheapest(Vehicle const& vehicle, std::span<double const> lambda,
                               std::span<std::uint8_t const> visited) const {
    std::size_t best = 0;
    double best_price = 0;
    for (std::size_t j = 1; j < visited.size(); ++j) {
        if (visited[j] != 0) continue;
        Visit const at = visit(vehicle, j);
        double price = distance_(vehicle.node, j) + lambda[families_.capacity] * at.overload;
        if (families_.timed()) price += lambda[families_.time_window] * at.lateness;
        if (best == 0 || price < best_price) {
            best = j;
            best_price = price;
        }
    }
    return best;
}

RelaxedSolution SoftTour::solve(std::span<double const> lambda) const {
    RelaxedSolution solution{0, std::vector<double>(settings_.dualised.size())};
    std::vector<std::uint8_t> visited(data_.locs.size());
    Vehicle vehicle;
    while (std::size_t const j = cheapest(vehicle, lambda, visited)) {
        Visit const at = visit(vehicle, j);
        visited[j] = 1;
        solution.cost += distance_(vehicle.node, j);
        solution.violation[families_.capacity] += at.overload;
        if (families_.timed()) solution.violation[families_.time_window] += at.lateness;
        vehicle = {j, at.arrival + data_.durations[j], vehicle.load + data_.demand[j - 1]};
        if (vehicle.load > full_vehicle) { // full: home, and a fresh vehicle
            solution.cost += distance_(j, 0);
            vehicle = {};
        }
    }
    solution.cost += distance_(vehicle.node, 0);
    return solution;
}

} // namespace

std::unique_ptr<LagrangianRelaxation> FleetInstance::lagrangian() const {
    return std::make_unique<SoftTour>(fleet_to_solve(), families());
}

} // namespace cax::routing
