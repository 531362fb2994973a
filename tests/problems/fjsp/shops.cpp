#include "shops.hpp"

#include <cassert>
#include <cstdlib>

namespace cax::test {

std::shared_ptr<fjsp::Instance const> make_shop(fjsp::Data data) {
    auto made = fjsp::Instance::make(std::move(data));
    assert(made);
    return *made;
}

fjsp::Data two_machines_three_jobs() {
    return {.name = "three jobs",
            .machines = 2,
            .padded_operations = 7,
            .jobs = {{{{0, 3}, {1, 5}}, {{0, 2}}}, {{{1, 4}}}, {{{0, 1}}, {{0, 6}, {1, 2}}}}};
}

std::size_t put(fjsp::Instance const& instance, std::size_t job, std::size_t machine) {
    return 1 + job * instance.machine_count() + machine;
}

std::shared_ptr<fjsp::Instance const> random_shop(std::uint64_t seed, bool decimal_times) {
    Rng rng(seed, 77);
    fjsp::Data data{.machines = 1 + rng.below(5)};
    bool const large = seed % 16 == 0;
    data.jobs.resize(large ? 10 : 1 + rng.below(6));
    std::size_t operations = 0;
    for (fjsp::Job& job : data.jobs) {
        job.resize(1 + rng.below(large ? 6 : 4));
        operations += job.size();
        for (fjsp::Operation& operation : job) {
            for (std::size_t m = 0; m < data.machines; ++m) {
                double const time = decimal_times ? rng.uniform(0.1, 20) : 1.0 + static_cast<double>(rng.below(20));
                if (rng.below(2) == 0) operation.push_back({m, static_cast<float>(time)});
            }
            if (operation.empty()) operation.push_back({rng.below(data.machines), 7});
        }
    }
    data.padded_operations = operations + rng.below(3);
    return make_shop(std::move(data));
}

std::size_t random_allowed(State const& state, Rng& rng) {
    std::vector<std::size_t> allowed;
    for (std::size_t a = 0; a < state.action_mask().size(); ++a) {
        if (state.action_mask()[a] != 0) allowed.push_back(a);
    }
    assert(!allowed.empty());
    return allowed[rng.below(allowed.size())];
}

std::vector<std::size_t> random_episode(State& state, Rng& rng) {
    std::vector<std::size_t> actions;
    while (!state.done()) {
        actions.push_back(random_allowed(state, rng));
        state.step(actions.back());
    }
    return actions;
}

} // namespace cax::test
