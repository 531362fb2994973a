#include "cax/explain/masking.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax {
namespace {

double round_to_float(double value) { return static_cast<double>(static_cast<float>(value)); }

/// Product of the axes behind the node axis: how many entries in a row belong to one node.
std::size_t inner_size(Shape const& shape, std::size_t axis) {
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
    return inner;
}

/// Which column an entry is in when the node axis is taken out: a coordinate, a window's end, a machine.
std::size_t column_of(std::size_t entry, std::size_t inner, std::size_t length) {
    return entry / (inner * length) * inner + entry % inner;
}

/// What hidden entries of one tensor show, per column.
std::vector<double> baselines(Feature const& feature, TensorInfo const& info, Baseline baseline) {
    std::size_t const length = feature.shape[info.node_axis];
    std::size_t const inner = inner_size(feature.shape, info.node_axis);
    std::size_t const columns = length == 0 ? 0 : feature.values.size() / length;
    std::vector<double> values(columns);
    if (baseline == Baseline::zero) return values;
    for (std::size_t i = 0; i < feature.values.size(); ++i) {
        std::size_t const index = i / inner % length;
        double& value = values[column_of(i, inner, length)];
        if (baseline == Baseline::mean) value += feature.values[i] / static_cast<double>(length);
        // A tensor without an entry for the depot (its demand) keeps 0.
        if (baseline == Baseline::depot && index + info.node_offset == 0) value = feature.values[i];
    }
    return values;
}

double range_of(Feature const& feature) {
    if (feature.values.empty()) return 0;
    auto const [low, high] = std::ranges::minmax_element(feature.values);
    return *high - *low;
}

std::size_t node_count(Features const& features, std::vector<TensorInfo> const& tensors) {
    std::size_t nodes = 0;
    for (std::size_t t = 0; t < features.size(); ++t) {
        nodes = std::max(nodes, features[t].shape[tensors[t].node_axis] + tensors[t].node_offset);
    }
    return nodes;
}

} // namespace

Result<Masking> Masking::make(State const& state, SubsetOptions const& options) {
    // Routing states have a depot, node 0; other observations have none.
    if (options.baseline == Baseline::depot && !std::holds_alternative<GraphObservation>(state.observe())) {
        return Error{ErrorCode::invalid_value, "baseline: depot: this problem has none"};
    }
    auto const& infos = state.instance().problem().info().tensors;
    Masking masking;
    masking.clean_ = state.features();
    assert(masking.clean_.size() == infos.size());
    masking.nodes_ = node_count(masking.clean_, infos);
    auto spent = options.spent_are_nodes ? std::vector<std::uint8_t>{} : state.spent_nodes();
    spent.resize(masking.nodes_);
    for (std::size_t node = 0; node < masking.nodes_; ++node) {
        if (spent[node] == 0) masking.candidates_.push_back(node);
    }
    for (std::size_t t = 0; t < infos.size(); ++t) {
        Feature const& feature = masking.clean_[t];
        std::size_t const length = feature.shape[infos[t].node_axis];
        std::size_t const inner = inner_size(feature.shape, infos[t].node_axis);
        auto const baseline = baselines(feature, infos[t], options.baseline);
        TensorPart part;
        part.sigma = options.sigma * (options.sigma_relative ? range_of(feature) : 1);
        part.truncated = options.truncate_integers && state.instance().units(t).whole_numbers;
        part.hidden = options.hide_short_tensors || length == masking.nodes_;
        for (std::size_t i = 0; i < feature.values.size(); ++i) {
            std::size_t const node = i / inner % length + infos[t].node_offset;
            part.entries.push_back({node, round_to_float(baseline[column_of(i, inner, length)]), spent[node] == 0});
        }
        masking.tensors_.push_back(std::move(part));
    }
    return masking;
}

Features Masking::noise(Rng& rng) const {
    Features noise = clean_;
    for (std::size_t t = 0; t < noise.size(); ++t) {
        for (std::size_t i = 0; i < noise[t].values.size(); ++i) {
            // Drawn for every entry, so that a node's noise does not depend on which others are spent.
            double const draw = rng.normal() * tensors_[t].sigma;
            noise[t].values[i] = tensors_[t].entries[i].candidate ? draw : 0;
        }
    }
    return noise;
}

Features Masking::shaken(Features const& noise) const {
    assert(noise.size() == clean_.size());
    Features features = clean_;
    for (std::size_t t = 0; t < features.size(); ++t) {
        assert(noise[t].values.size() == features[t].values.size());
        for (std::size_t i = 0; i < features[t].values.size(); ++i) {
            double const moved = round_to_float(features[t].values[i] + round_to_float(noise[t].values[i]));
            features[t].values[i] = tensors_[t].truncated ? std::trunc(moved) : moved;
        }
    }
    return features;
}

void Masking::hide(Features& features, NodeSet const& kept) const {
    assert(features.size() == tensors_.size() && kept.size() == nodes_);
    for (std::size_t t = 0; t < features.size(); ++t) {
        if (!tensors_[t].hidden) continue;
        for (std::size_t i = 0; i < features[t].values.size(); ++i) {
            Entry const& entry = tensors_[t].entries[i];
            if (entry.candidate && kept[entry.node] == 0) features[t].values[i] = entry.baseline;
        }
    }
}

} // namespace cax
