#include "features.hpp"

#include <cassert>

namespace cax::cvrptw {
namespace {

/// Columns of a customer's row.
enum Column : std::size_t { x, y, demand, opening, closing, service, columns };

Features zeros(std::size_t nodes) {
    Features features(4);
    features[feature_locs] = {{nodes, 2}, std::vector<double>(2 * nodes)};
    features[feature_demand] = {{nodes - 1}, std::vector<double>(nodes - 1)};
    features[feature_time_windows] = {{nodes, 2}, std::vector<double>(2 * nodes)};
    features[feature_durations] = {{nodes}, std::vector<double>(nodes)};
    return features;
}

} // namespace

Features features_of(Instance const& instance) {
    Data const& data = instance.data();
    Features features = zeros(instance.nodes());
    for (std::size_t i = 0; i < instance.nodes(); ++i) {
        features[feature_locs].values[2 * i] = data.locs[i].x;
        features[feature_locs].values[2 * i + 1] = data.locs[i].y;
        if (i > 0) features[feature_demand].values[i - 1] = data.demand[i - 1];
        features[feature_time_windows].values[2 * i] = data.time_windows[i].open;
        features[feature_time_windows].values[2 * i + 1] = data.time_windows[i].close;
        features[feature_durations].values[i] = data.durations[i];
    }
    return features;
}

Observation observe_state(State const& state, Features const& features) {
    std::size_t const nodes = state.instance().nodes();
    auto const& locs = features[feature_locs].values;
    auto const& windows = features[feature_time_windows].values;
    assert(features.size() == 4 && locs.size() == 2 * nodes && windows.size() == 2 * nodes);
    assert(features[feature_demand].values.size() == nodes - 1 && features[feature_durations].values.size() == nodes);

    GraphObservation observation;
    observation.depot = {locs[0], locs[1]};
    observation.customers = Matrix<double>(nodes - 1, columns);
    for (std::size_t i = 1; i < nodes; ++i) {
        auto const row = observation.customers.row(i - 1);
        row[x] = locs[2 * i];
        row[y] = locs[2 * i + 1];
        row[demand] = features[feature_demand].values[i - 1];
        row[opening] = windows[2 * i];
        row[closing] = windows[2 * i + 1];
        row[service] = features[feature_durations].values[i];
    }
    // In double the difference is exact; rounded to float32 it is what float32 arithmetic would have given.
    observation.context = {1.0 - double{state.used_capacity()}, double{state.current_time()}};
    observation.current_node = state.current_node();
    observation.mask.assign(state.action_mask().begin(), state.action_mask().end());
    return observation;
}

Observation observe_vehicle(State const& state) {
    GraphObservation observation;
    observation.context = {1.0 - double{state.used_capacity()}, double{state.current_time()}};
    observation.current_node = state.current_node();
    observation.mask.assign(state.action_mask().begin(), state.action_mask().end());
    return observation;
}

Features pull_back_gradient(Instance const& instance, Observation const& gradient) {
    auto const* graph = std::get_if<GraphObservation>(&gradient);
    assert(graph != nullptr && graph->depot.size() == 2);
    assert(graph->customers.rows() == instance.customers() && graph->customers.cols() == columns);
    Features features = zeros(instance.nodes());
    features[feature_locs].values[0] = graph->depot[0];
    features[feature_locs].values[1] = graph->depot[1];
    for (std::size_t i = 1; i < instance.nodes(); ++i) {
        auto const row = graph->customers.row(i - 1);
        features[feature_locs].values[2 * i] = row[x];
        features[feature_locs].values[2 * i + 1] = row[y];
        features[feature_demand].values[i - 1] = row[demand];
        features[feature_time_windows].values[2 * i] = row[opening];
        features[feature_time_windows].values[2 * i + 1] = row[closing];
        features[feature_durations].values[i] = row[service];
    }
    return features;
}

} // namespace cax::cvrptw
