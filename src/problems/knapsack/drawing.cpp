#include "drawing.hpp"

#include "../fields.hpp"
#include "../table/field.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::knapsack {
namespace {

/// Of both resources, in their own units.
Json amounts(Data const& data, double weight_share, double volume_share) {
    return {weight_share * double{data.max_weight}, volume_share * double{data.max_volume}};
}

Json drawn_item(Data const& data, std::size_t item, float richest) {
    double const heavy = table::in_units(data.weights[item], data.max_weight);
    double const bulky = table::in_units(data.volumes[item], data.max_volume);
    double const worth = readable(data.values[item]);
    return {{"node", item},
            {"label", fmt::format("item {}", item)},
            {"short", std::to_string(item)},
            {"worth", worth},
            {"takes", {heavy, bulky}},
            {"weight", richest > 0 ? double{data.values[item]} / double{richest} : 0},
            {"facts",
             {fmt::format("value {:.6g}", worth), fmt::format("weight {:.6g}", heavy),
              fmt::format("volume {:.6g}", bulky)}}};
}

} // namespace

Json drawn_scene(Instance const& instance) {
    Data const& data = instance.data();
    float const richest = *std::ranges::max_element(data.values);
    Json nodes = Json::array();
    for (std::size_t i = 0; i < instance.nodes(); ++i) nodes.push_back(drawn_item(data, i, richest));
    return {{"kind", "packing"},
            {"weight_word", "value"},
            {"resources",
             {{{"label", "weight"}, {"limit", readable(data.max_weight)}, {"tensor", "weights"}},
              {{"label", "volume"}, {"limit", readable(data.max_volume)}, {"tensor", "volumes"}}}},
            {"nodes", std::move(nodes)}};
}

Json drawn_moment(State const& state, std::span<std::size_t const> actions) {
    std::vector<std::size_t> const packed(actions.begin(), actions.end());
    return {{"done", packed},
            {"packed", packed},
            {"used", amounts(state.instance().data(), double{state.used_weight()}, double{state.used_volume()})}};
}

Json drawn_mark(State const& state, std::size_t action) {
    Data const& data = state.instance().data();
    return {{"node", action},
            {"used", amounts(data, double{state.used_weight()} + double{data.weights[action]},
                             double{state.used_volume()} + double{data.volumes[action]})}};
}

Json drawn_packing(Instance const& instance, Packing const& packing) {
    double heavy = 0, bulky = 0;
    for (std::size_t const item : packing.items) {
        heavy += double{instance.data().weights[item]};
        bulky += double{instance.data().volumes[item]};
    }
    return {{"packed", packing.items}, {"used", amounts(instance.data(), heavy, bulky)}};
}

} // namespace cax::knapsack
