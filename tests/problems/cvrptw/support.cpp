#include "support.hpp"

#include <cmath>

namespace cax::cvrptw::test {

Data three_customers() {
    return {.name = "three",
            .capacity = 10,
            .locs = {{0, 0}, {3, 4}, {6, 8}, {0, 10}},
            .demand = {0.3F, 0.4F, 0.5F},
            .time_windows = {{0, 100}, {8, 20}, {0, 30}, {40, 60}},
            .durations = {0, 2, 3, 4},
            .whole_windows = true};
}

InstanceHandle make(Data data) {
    auto instance = Instance::make(std::move(data));
    if (!instance) {
        ADD_FAILURE() << instance.error().message;
        std::abort();
    }
    return *instance;
}

std::string refusal(Data data) {
    auto const instance = Instance::make(std::move(data));
    return instance ? "it was accepted" : instance.error().message;
}

Data rough_data(std::size_t customers, Rng& rng) {
    auto const real = [&](double low, double high) { return static_cast<float>(rng.uniform(low, high)); };
    Data data{.capacity = 7, .whole_windows = rng.below(2) == 0};
    for (std::size_t i = 0; i <= customers; ++i) {
        data.locs.push_back({real(-50, 50), real(-50, 50)});
        float open = real(-20, 300);
        float close = open + real(0, 200);
        if (data.whole_windows) {
            open = std::trunc(open);
            close = std::trunc(close);
        }
        data.time_windows.push_back(i == 0 ? Window{0, 400} : Window{open, std::max(open, close)});
        data.durations.push_back(i == 0 ? 0.0F : real(0, 30));
        if (i > 0) data.demand.push_back(rng.below(10) == 0 ? 0.0F : real(0, 0.7));
    }
    return data;
}

Problem const& cvrptw_problem() { return *find_problem("cvrptw"); }

InstanceHandle generated(std::size_t customers, std::uint64_t seed, Options const& options) {
    Rng rng(seed);
    auto const instance = cvrptw_problem().generate(std::to_string(customers), options, rng);
    if (!instance) {
        ADD_FAILURE() << instance.error().message;
        std::abort();
    }
    return std::dynamic_pointer_cast<Instance const>(*instance);
}

} // namespace cax::cvrptw::test
