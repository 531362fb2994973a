#include "support.hpp"

#include "cax/problems/registry.hpp"

#include <gtest/gtest.h>

namespace cax::knapsack::test {

Data four_items() {
    Data data{.name = "four", .values = {6, 5, 4, 1}, .max_weight = 10, .max_volume = 8};
    for (int const weight : {6, 5, 5, 1}) data.weights.push_back(static_cast<float>(weight) / 10);
    for (int const volume : {2, 4, 4, 6}) data.volumes.push_back(static_cast<float>(volume) / 8);
    return data;
}

InstancePointer make(Data data) {
    auto instance = Instance::make(std::move(data));
    if (!instance) {
        ADD_FAILURE() << instance.error().message;
        std::abort();
    }
    return *instance;
}

InstancePointer generated(std::string_view size, std::uint64_t seed) {
    Rng rng(seed);
    auto instance = find_problem("knapsack")->generate(size, {}, rng);
    if (!instance) {
        ADD_FAILURE() << instance.error().message;
        std::abort();
    }
    return std::static_pointer_cast<Instance const>(*instance);
}

std::optional<double> best_subset(Data const& data, std::vector<std::size_t> const& needed) {
    std::size_t const items = data.values.size();
    std::size_t wanted = 0;
    for (std::size_t const item : needed) wanted |= std::size_t{1} << item;
    std::optional<double> best;
    for (std::size_t set = 0; set < std::size_t{1} << items; ++set) {
        if ((set & wanted) != wanted) continue;
        double value = 0, weight = 0, volume = 0;
        for (std::size_t i = 0; i < items; ++i) {
            if ((set >> i & 1) == 0) continue;
            value += double{data.values[i]};
            weight += double{data.weights[i]};
            volume += double{data.volumes[i]};
        }
        if (weight > 1 + 1e-5 || volume > 1 + 1e-5) continue;
        if (!best || value > *best) best = value;
    }
    return best;
}

} // namespace cax::knapsack::test
