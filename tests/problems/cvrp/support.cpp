#include "support.hpp"

namespace cax::cvrp::test {

Data three_customers() {
    return {.name = "three", .capacity = 10, .locs = {{0, 0}, {3, 4}, {6, 8}, {0, 10}}, .demand = {0.3F, 0.4F, 0.5F}};
}

InstanceHandle make(Data data) {
    auto instance = Instance::make(std::move(data));
    if (!instance) {
        ADD_FAILURE() << instance.error().message;
        std::abort();
    }
    return *instance;
}

Problem const& cvrp_problem() { return *find_problem("cvrp"); }

InstanceHandle generated(std::size_t customers, std::uint64_t seed, Options const& options) {
    Rng rng(seed);
    auto const instance = cvrp_problem().generate(std::to_string(customers), options, rng);
    if (!instance) {
        ADD_FAILURE() << instance.error().message;
        std::abort();
    }
    return std::dynamic_pointer_cast<Instance const>(*instance);
}

} // namespace cax::cvrp::test
