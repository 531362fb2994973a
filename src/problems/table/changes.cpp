// Changed instances: what a counterfactual asks about.
#include "problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax::table {
namespace {

/// Of the entries of a feature, those from here on can be moved: not the depot's where it is 0 by definition, or a
/// unit.
std::size_t first_adjustable(Field const& field) {
    return field.entries == Entries::depot_is_zero || field.in_depot_units ? field.width : 0;
}
/// A number that is spread over the nodes is moved by its first entry; the others follow.
std::size_t count_adjustable(Field const& field, std::size_t nodes) {
    return field.entries == Entries::instance ? field.width : count_of(field, nodes) - first_adjustable(field);
}

/// The rule of one field, if its values break it. Comparisons are written so that a NaN fails them.
std::optional<std::string> broken_entry(Field const& field, std::vector<double> const& values, NodeWords const& words) {
    for (std::size_t i = 0; i < values.size(); i += field.width) {
        std::size_t const node = i / field.width + first_node(field);
        std::string_view const who = first_node(field) > 0 || !words.depot ? words.one : "node";
        if (field.limits == Limits::any) {
            for (std::size_t c = 0; c < field.width; ++c) {
                if (!std::isfinite(values[i + c]))
                    return fmt::format("{} {}: coordinate is {}", who, node, values[i + c]);
            }
        } else if (field.limits == Limits::ordered) {
            if (values[i] <= values[i + 1]) continue;
            return fmt::format("{} {}: {} closes ({}) before it opens ({})", who, node, field.key, values[i + 1],
                               values[i]);
        } else if (!(values[i] >= field.lowest_changed)) {
            return fmt::format("{} {}: {} is negative ({})", who, node, field.label[0], values[i]);
        }
    }
    return std::nullopt;
}

} // namespace

Result<InstancePtr> Problem::changed(cax::Instance const& any, Features const& change, ChangeKind) const {
    auto const& instance = static_cast<Instance const&>(any);
    assert(change.size() == info_.tensors.size());
    Numbers numbers = instance.numbers();
    for (std::size_t f = 0; f < change.size(); ++f) {
        Field const& field = fields_[f];
        assert(change[f].values.size() == count_of(field, instance.nodes()));
        auto& column = numbers.columns[f];
        std::size_t const first = first_adjustable(field);
        for (std::size_t i = first; i < first + count_adjustable(field, instance.nodes()); ++i) {
            column[i] = static_cast<float>(double{column[i]} + change[f].values[i]);
        }
        if (field.limits == Limits::ordered) numbers.whole_pairs = numbers.whole_pairs && is_whole(column);
    }
    return make(std::move(numbers), Origin::changed);
}

Adjustable Problem::adjustable(cax::Instance const& any, ChangeKind) const {
    auto const& instance = static_cast<Instance const&>(any);
    Adjustable entries;
    for (std::size_t f = 0; f < info_.tensors.size(); ++f) {
        auto& list = entries.emplace_back(count_of(fields_[f], instance.nodes()), 0);
        std::fill_n(list.begin() + static_cast<std::ptrdiff_t>(first_adjustable(fields_[f])),
                    count_adjustable(fields_[f], instance.nodes()), std::uint8_t{1});
    }
    return entries;
}

TensorUnits Problem::units(cax::Instance const& any, std::size_t tensor) const {
    Field const& field = fields_[tensor];
    Numbers const& numbers = static_cast<Instance const&>(any).numbers();
    if (field.limits == Limits::fraction) {
        double const capacity = capacity_of(numbers, fields_, field);
        return {.scale = capacity, .grain = capacity > 1 ? 1 / capacity : 0.01, .unit = field.whole_unit};
    }
    double const stretch = 1 / factor_of(numbers.shown, field.scale);
    return {.grain = stretch == 1 ? field.grain : std::pow(10, std::floor(std::log10(field.grain * stretch))),
            .whole_numbers = field.limits == Limits::ordered && numbers.whole_pairs,
            .unit = field.unit,
            .stretch = stretch};
}

std::optional<std::string> Problem::envelope_violation(cax::State const&, Features const& features, Envelope) const {
    for (std::size_t f = 0; f < features.size(); ++f) {
        if (fields_[f].entries == Entries::instance) continue;
        if (auto broken = broken_entry(fields_[f], features[f].values, look_.nodes)) return broken;
    }
    return broken_envelope(features);
}

} // namespace cax::table
