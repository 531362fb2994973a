#include "attribution/grouping.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax {
namespace {

bool all_finite(Feature const& entries, NodeMap const& map, std::span<std::uint8_t const> spent) {
    for (std::size_t i = 0; i < entries.values.size(); ++i) {
        if (!spent.empty() && spent[map.node_of(i)] != 0) continue;
        if (!std::isfinite(entries.values[i])) return false;
    }
    return true;
}

/// Adds one tensor's numbers to its family's nodes; a node that is but the unit of the others has no part in it.
void add_tensor(TensorInfo const& info, Feature const& entries, MassKind kind, std::span<std::uint8_t const> spent,
                std::vector<double>& nodes) {
    NodeMap const map(info, entries.shape);
    std::vector<double> own(nodes.size());
    for (std::size_t i = 0; i < entries.values.size(); ++i) {
        double const value = entries.values[i];
        own[map.node_of(i)] += kind == MassKind::entry ? std::abs(value) : value;
    }
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (n != info.unit_node && (spent.empty() || spent[n] == 0)) nodes[n] += std::abs(own[n]);
    }
}

} // namespace

NodeMap::NodeMap(TensorInfo const& info, Shape const& shape) : offset_(info.node_offset) {
    assert(info.node_axis < shape.size());
    extent_ = std::max<std::size_t>(1, shape[info.node_axis]);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (axis > info.node_axis) inner_ *= shape[axis];
        if (axis != info.node_axis) coordinates_ *= shape[axis];
    }
    inner_ = std::max<std::size_t>(1, inner_);
}

std::size_t node_count(ProblemInfo const& info, Features const& features) {
    std::size_t nodes = 0;
    for (std::size_t t = 0; t < features.size(); ++t) {
        nodes = std::max(nodes, NodeMap(info.tensors[t], features[t].shape).nodes());
    }
    return nodes;
}

void clear_masses(DecisionAttribution& result, std::size_t families, std::size_t nodes) {
    result.mass.assign(families, 0);
    result.nodes.assign(families, std::vector<double>(nodes));
}

void group_entries(ProblemInfo const& info, Features const& entries, MassKind kind, std::span<std::uint8_t const> spent,
                   DecisionAttribution& result) {
    std::size_t const nodes = node_count(info, entries);
    clear_masses(result, info.families.size(), nodes);
    for (std::size_t t = 0; t < entries.size(); ++t) {
        NodeMap const map(info.tensors[t], entries[t].shape);
        if (all_finite(entries[t], map, spent)) continue;
        result.status = AttributionStatus::not_finite;
        return;
    }
    double total = 0;
    for (std::size_t t = 0; t < entries.size(); ++t) {
        add_tensor(info.tensors[t], entries[t], kind, spent, result.nodes[info.tensors[t].family]);
    }
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        for (double const score : result.nodes[k]) result.mass[k] += score;
        total += result.mass[k];
    }
    if (!std::isfinite(total)) { // entries that are finite one by one
        clear_masses(result, info.families.size(), nodes);
        result.status = AttributionStatus::not_finite;
    } else if (total == 0) {
        result.status = AttributionStatus::no_influence;
    }
}

} // namespace cax
