// Changed instances: what a counterfactual asks about, and the words for it.
#include "cax/problems/op/instance.hpp"
#include "features.hpp"

#include <cassert>
#include <fmt/format.h>

namespace cax::op {
namespace {

/// What the envelope lets pass: a changed instance may be slightly wrong, and certification then says so.
constexpr float lowest_changed_prize = -0.01F;

float moved(float value, double by) { return static_cast<float>(double{value} + by); }

} // namespace

Result<InstancePtr> Instance::changed(Features const& change, ChangeKind) const {
    assert(change.size() == 3);
    auto const& locs = change[feature_locs].values;
    auto const& prize = change[feature_prize].values;
    assert(locs.size() == 2 * nodes() && prize.size() == nodes() &&
           change[feature_max_length].values.size() == nodes());
    Data data = data_;
    for (std::size_t i = 0; i < nodes(); ++i) {
        data.locs[i] = {moved(data.locs[i].x, locs[2 * i]), moved(data.locs[i].y, locs[2 * i + 1])};
        if (i > 0) data.prize[i] = moved(data.prize[i], prize[i]); // the depot has none
    }
    data.max_length = moved(data.max_length, change[feature_max_length].values[0]);
    auto instance = make(std::move(data), lowest_changed_prize);
    if (!instance) return instance.error();
    return InstancePtr(*std::move(instance));
}

std::vector<std::vector<std::uint8_t>> Instance::adjustable(ChangeKind) const {
    std::vector<std::vector<std::uint8_t>> entries(3);
    entries[feature_locs].assign(2 * nodes(), 1);
    entries[feature_prize].assign(nodes(), 1);
    entries[feature_prize][0] = 0;
    entries[feature_max_length].assign(nodes(), 0); // the limits on arrival follow from the tour's
    entries[feature_max_length][0] = 1;
    return entries;
}

TensorUnits Instance::units(std::size_t tensor) const {
    if (tensor == feature_prize) return {.grain = 0.01, .unit = "prize"};
    return {.grain = 0.01, .unit = "distance"};
}

std::string Instance::describe_entry(std::size_t tensor, std::size_t index) const {
    auto const name = [](std::size_t node) { return node == 0 ? "depot" : fmt::format("customer {}", node); };
    switch (tensor) {
    case feature_prize: return fmt::format("{}: prize", name(index));
    case feature_max_length:
        return index == 0 ? "longest tour allowed" : fmt::format("{}: latest arrival", name(index));
    default: return fmt::format("{}: {} coordinate", name(index / 2), index % 2 == 0 ? "x" : "y");
    }
}

} // namespace cax::op
