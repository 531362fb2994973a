// Random instances in the manner of Chu and Beasley (Journal of Heuristics 4, 1998), the usual ones for knapsacks with
// several resources: weights and volumes whole and uniform, room for a fixed part of all items, and values that grow
// with what an item takes, so that no item is a bargain at first sight. Draws item by item: weight, volume, value.
#include "../fields.hpp"
#include "problem.hpp"

#include "cax/problems/knapsack/instance.hpp"

#include <algorithm>
#include <cmath>

namespace cax::knapsack {
namespace {

constexpr std::size_t largest_share = 100;

/// The part of the total, in whole units, but enough for every item alone.
float room_for(std::vector<float> const& amounts, double tightness) {
    double total = 0;
    for (float const amount : amounts) total += double{amount};
    return std::max(static_cast<float>(std::floor(tightness * total)), *std::ranges::max_element(amounts));
}

void into_shares(std::vector<float>& amounts, float whole) {
    for (float& amount : amounts) amount = static_cast<float>(double{amount} / double{whole});
}

} // namespace

std::vector<std::pair<std::string_view, std::string_view>> generator_options() {
    return {{"tightness", "the part of all items that there is room for, by weight and by volume (default 0.5)"}};
}

Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng) {
    if (auto ok = check_option_names(options, {"tightness"}); !ok) return ok.error();
    auto const items = parse_count(size, "size", 2, table::max_nodes - 1);
    if (!items) return items.error();
    auto const tightness = number_option(options, "tightness", 0.5, 0.01, 1);
    if (!tightness) return tightness.error();
    Data data;
    for (std::size_t i = 0; i < *items; ++i) {
        data.weights.push_back(static_cast<float>(1 + rng.below(largest_share)));
        data.volumes.push_back(static_cast<float>(1 + rng.below(largest_share)));
        double const taken = (double{data.weights.back()} + double{data.volumes.back()}) / 2;
        double const luck = rng.uniform(0, largest_share / 2.0);
        data.values.push_back(static_cast<float>(std::ceil(taken + luck) / 100));
    }
    data.max_weight = room_for(data.weights, *tightness);
    data.max_volume = room_for(data.volumes, *tightness);
    into_shares(data.weights, data.max_weight);
    into_shares(data.volumes, data.max_volume);
    return Instance::make_any(data);
}

} // namespace cax::knapsack
