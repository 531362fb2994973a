#include "features.hpp"

#include <cassert>

namespace cax::op {
namespace {

/// Columns of a customer's row.
enum Column : std::size_t { column_x, column_y, column_prize, columns };

Features zeros(std::size_t nodes) {
    Features features(3);
    features[feature_locs] = {{nodes, 2}, std::vector<double>(2 * nodes)};
    features[feature_prize] = {{nodes}, std::vector<double>(nodes)};
    features[feature_max_length] = {{nodes}, std::vector<double>(nodes)};
    return features;
}

} // namespace

Features features_of(Instance const& instance) {
    Data const& data = instance.data();
    Features features = zeros(instance.nodes());
    for (std::size_t i = 0; i < instance.nodes(); ++i) {
        features[feature_locs].values[2 * i] = data.locs[i].x;
        features[feature_locs].values[2 * i + 1] = data.locs[i].y;
        features[feature_prize].values[i] = data.prize[i];
        features[feature_max_length].values[i] = instance.arrival_limits()[i];
    }
    return features;
}

Observation observe_state(State const& state, Features const& features) {
    std::size_t const nodes = state.instance().nodes();
    auto const& locs = features[feature_locs].values;
    assert(features.size() == 3 && locs.size() == 2 * nodes && features[feature_prize].values.size() == nodes &&
           features[feature_max_length].values.size() == nodes);

    GraphObservation observation;
    observation.depot = {locs[0], locs[1]};
    observation.customers = Matrix<double>(nodes - 1, columns);
    for (std::size_t i = 1; i < nodes; ++i) {
        auto const row = observation.customers.row(i - 1);
        row[column_x] = locs[2 * i];
        row[column_y] = locs[2 * i + 1];
        row[column_prize] = features[feature_prize].values[i];
    }
    observation.context = {features[feature_max_length].values[0] - double{state.tour_length()}};
    observation.current_node = state.current_node();
    observation.mask.assign(state.action_mask().begin(), state.action_mask().end());
    return observation;
}

Observation observe_vehicle(State const& state) {
    GraphObservation observation;
    observation.context = {double{state.instance().arrival_limits()[0]} - double{state.tour_length()}};
    observation.current_node = state.current_node();
    observation.mask.assign(state.action_mask().begin(), state.action_mask().end());
    return observation;
}

Features pull_back_gradient(Instance const& instance, Observation const& gradient) {
    auto const* graph = std::get_if<GraphObservation>(&gradient);
    assert(graph != nullptr && graph->depot.size() == 2 && graph->context.size() == 1);
    assert(graph->customers.rows() == instance.customers() && graph->customers.cols() == columns);
    Features features = zeros(instance.nodes());
    features[feature_locs].values[0] = graph->depot[0];
    features[feature_locs].values[1] = graph->depot[1];
    features[feature_max_length].values[0] = graph->context[0];
    for (std::size_t i = 1; i < instance.nodes(); ++i) {
        auto const row = graph->customers.row(i - 1);
        features[feature_locs].values[2 * i] = row[column_x];
        features[feature_locs].values[2 * i + 1] = row[column_y];
        features[feature_prize].values[i] = row[column_prize];
    }
    return features;
}

} // namespace cax::op
