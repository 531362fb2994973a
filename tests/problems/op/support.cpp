#include "support.hpp"

namespace cax::op::test {

Data three_customers() {
    return {.name = "three", .locs = {{0, 0}, {3, 4}, {6, 8}, {0, 12}}, .prize = {0, 1, 2, 4}, .max_length = 25};
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
    double const scale = rng.below(2) == 0 ? 1 : 1000;
    auto const real = [&](double low, double high) { return static_cast<float>(rng.uniform(low, high)); };
    Data data{.max_length = real(0.01, 4 * scale)};
    for (std::size_t i = 0; i <= customers; ++i) {
        data.locs.push_back({real(-scale, scale), real(-scale, scale)});
        data.prize.push_back(i == 0 || rng.below(10) == 0 ? 0.0F : real(0, 100));
    }
    return data;
}

Problem const& op_problem() { return *find_problem("op"); }

InstanceHandle generated(std::size_t customers, std::uint64_t seed, Options const& options) {
    Rng rng(seed);
    auto const instance = op_problem().generate(std::to_string(customers), options, rng);
    if (!instance) {
        ADD_FAILURE() << instance.error().message;
        std::abort();
    }
    return std::dynamic_pointer_cast<Instance const>(*instance);
}

} // namespace cax::op::test
