#include "attribution/masking_baseline.hpp"

#include "attribution/grouping.hpp"

#include "cax/problems/changes.hpp"

#include <cassert>

namespace cax {
namespace {

/// Per coordinate, the mean over the entries that may move.
std::vector<double> means(Feature const& feature, NodeMap const& map, std::span<std::uint8_t const> moves) {
    std::vector<double> sums(map.coordinates());
    std::vector<std::size_t> counts(map.coordinates());
    for (std::size_t i = 0; i < feature.values.size(); ++i) {
        if (moves[i] == 0) continue;
        sums[map.coordinate_of(i)] += feature.values[i];
        ++counts[map.coordinate_of(i)];
    }
    for (std::size_t c = 0; c < sums.size(); ++c) {
        if (counts[c] > 0) sums[c] /= static_cast<double>(counts[c]);
    }
    return sums;
}

/// Per coordinate, the depot's value.
std::vector<double> of_depot(Feature const& feature, NodeMap const& map) {
    std::vector<double> values(map.coordinates());
    for (std::size_t i = 0; i < feature.values.size(); ++i) {
        if (map.node_of(i) == 0) values[map.coordinate_of(i)] = feature.values[i];
    }
    return values;
}

std::vector<double> target(MaskingBaseline baseline, Feature const& feature, NodeMap const& map,
                           std::span<std::uint8_t const> moves) {
    switch (baseline) {
    case MaskingBaseline::mean: return means(feature, map, moves);
    case MaskingBaseline::depot: return of_depot(feature, map);
    case MaskingBaseline::zero: break;
    }
    return std::vector<double>(map.coordinates());
}

} // namespace

bool has_depot(Problem const& problem) {
    auto const* const changes = problem.changes();
    return changes != nullptr && changes->place_tensor().has_value();
}

Features masking_baseline(State const& state, Features const& features, MaskingBaseline baseline) {
    ProblemInfo const& info = state.instance().problem().info();
    auto const spent = state.spent_nodes();
    auto moves = adjustable(state.instance(), ChangeKind::features);
    assert(moves.size() == features.size());
    Features result = features;
    for (std::size_t t = 0; t < features.size(); ++t) {
        NodeMap const map(info.tensors[t], features[t].shape);
        for (std::size_t i = 0; i < moves[t].size(); ++i) {
            if (!spent.empty() && spent[map.node_of(i)] != 0) moves[t][i] = 0;
        }
        auto const values = target(baseline, features[t], map, moves[t]);
        for (std::size_t i = 0; i < moves[t].size(); ++i) {
            if (moves[t][i] != 0) result[t].values[i] = values[map.coordinate_of(i)];
        }
    }
    return result;
}

} // namespace cax
