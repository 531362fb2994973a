#include "cax/explain/masking.hpp"
#include "cax/problems/changes.hpp"

#include "attribution/grouping.hpp"
#include "attribution/masking_baseline.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cax {
namespace {

double round_to_float(double value) { return static_cast<double>(static_cast<float>(value)); }

double range_of(Feature const& feature) {
    if (feature.values.empty()) return 0;
    auto const [low, high] = std::ranges::minmax_element(feature.values);
    return *high - *low;
}

} // namespace

Result<Masking> Masking::make(State const& state, SubsetOptions const& options) {
    if (options.baseline == MaskingBaseline::depot && !has_depot(state.instance().problem())) {
        return Error{ErrorCode::invalid_value, "baseline: depot: this problem has none"};
    }
    ProblemInfo const& info = state.instance().problem().info();
    Masking masking;
    masking.clean_ = state.features();
    masking.nodes_ = node_count(info, masking.clean_);
    auto spent = options.fidelity.spent_are_nodes ? std::vector<std::uint8_t>{} : state.spent_nodes();
    spent.resize(masking.nodes_);
    for (std::size_t node = 0; node < masking.nodes_; ++node) {
        if (spent[node] == 0) masking.candidates_.push_back(node);
    }
    Features const baseline = masking_baseline(state, masking.clean_, options.baseline);
    auto const exists = adjustable(state.instance());
    for (std::size_t t = 0; t < masking.clean_.size(); ++t) {
        Feature const& feature = masking.clean_[t];
        NodeMap const map(info.tensors[t], feature.shape);
        TensorPart part;
        TensorUnits const units = units_of(state.instance(), t);
        part.sigma = options.sigma * (options.sigma_relative ? range_of(feature) : units.stretch);
        part.truncated = options.fidelity.truncate_integers && units.whole_numbers;
        part.hidden = options.fidelity.hide_short_tensors || feature.shape[info.tensors[t].node_axis] == masking.nodes_;
        for (std::size_t i = 0; i < feature.values.size(); ++i) {
            std::size_t const node = map.node_of(i);
            bool const touched = spent[node] == 0 && (options.fidelity.missing_entries || exists[t][i] != 0);
            part.entries.push_back({node, round_to_float(baseline[t].values[i]), touched});
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
            noise[t].values[i] = tensors_[t].entries[i].touched ? draw : 0;
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
            if (entry.touched && kept[entry.node] == 0) features[t].values[i] = entry.baseline;
        }
    }
}

} // namespace cax
