#include "contract.hpp"

#include "../best_episode.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/questions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax::test {

InstancePtr ProblemContract::generated(std::uint64_t seed) const {
    Rng rng(seed);
    auto const instance = problem().generate(info().default_size, {}, rng);
    if (!instance) {
        ADD_FAILURE() << instance.error().message;
        std::abort();
    }
    return *instance;
}

std::vector<std::size_t> allowed_actions(State const& state) {
    auto const mask = state.action_mask();
    std::vector<std::size_t> actions;
    for (std::size_t a = 0; a < mask.size(); ++a) {
        if (mask[a] != 0) actions.push_back(a);
    }
    return actions;
}

std::vector<std::size_t> random_steps(State& state, Rng& rng, std::size_t steps) {
    std::vector<std::size_t> taken;
    while (taken.size() < steps && !state.done()) {
        auto const actions = allowed_actions(state);
        if (actions.empty()) {
            ADD_FAILURE() << "no action is allowed after " << taken.size() << " steps";
            break;
        }
        taken.push_back(actions[rng.below(actions.size())]);
        state.step(taken.back());
    }
    return taken;
}

std::vector<std::size_t> random_episode(State& state, Rng& rng) {
    auto taken = random_steps(state, rng, 100'000);
    EXPECT_TRUE(state.done());
    return taken;
}

void expect_same_tensors(NamedTensors const& a, NamedTensors const& b) {
    EXPECT_EQ(a.size(), b.size());
    for (auto const& [name, tensor] : a) {
        auto const place = b.find(name);
        ASSERT_NE(place, b.end()) << name;
        EXPECT_EQ(tensor.dtype(), place->second.dtype()) << name;
        EXPECT_EQ(tensor.shape(), place->second.shape()) << name;
        EXPECT_TRUE(std::ranges::equal(tensor.bytes(), place->second.bytes())) << name;
    }
}

void expect_same_behaviour(Instance const& a, Instance const& b, Rng& rng) {
    auto const first = a.reset();
    auto const second = b.reset();
    expect_same_tensors(tensors_of(*first), tensors_of(*second));
    for (std::size_t const action : random_episode(*first, rng)) second->step(action);
    expect_same_tensors(tensors_of(*first), tensors_of(*second));
    EXPECT_EQ(first->cost(), second->cost());
}

namespace {

/// Larger is better.
double worth(Problem const& problem, double cost) {
    return problem.info().objective == Objective::maximise ? cost : -cost;
}

} // namespace

SearchMisses misses_of_search(Problem const& problem, bool exact) {
    bool const routes = problem.info().size_hint == "N";
    SearchMisses misses;
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        Rng rng(seed, 6);
        auto const instance = problem.generate(routes ? "5" : "2x2", {}, rng);
        if (!instance) {
            ADD_FAILURE() << instance.error().message;
            continue;
        }
        auto const cost = best_episode(*(*instance)->reset());
        if (!cost) continue;
        double const best = worth(problem, *cost);
        auto const found =
            search(**instance, {.seconds = 60, .iterations = 2000, .bound = {}, .exact = exact, .stop = {}});
        if (!found) {
            ADD_FAILURE() << found.error().message;
            continue;
        }
        double const own = worth(problem, (*instance)->check(found->solution).cost);
        double const slack = 1e-6 * (1 + std::abs(best));
        bool const worse = own < best - slack;
        misses.missed += worse ? 1 : 0;
        misses.falsely_proved += worse && found->optimal ? 1 : 0;
        // Schedules that let a machine wait are no episodes, and may be better.
        misses.impossible += routes && own > best + slack ? 1 : 0;
    }
    return misses;
}

std::string problem_name(testing::TestParamInfo<Problem const*> const& parameter) {
    return std::string(parameter.param->info().name);
}

INSTANTIATE_TEST_SUITE_P(AllProblems, ProblemContract, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         problem_name);

} // namespace cax::test
