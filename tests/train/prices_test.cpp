#include "prices.hpp"

#include "cax/problems/registry.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace cax::train {
namespace {

InstancePtr generated(char const* problem, char const* size, std::uint64_t seed) {
    Rng rng(seed);
    return *find_problem(problem)->generate(size, {}, rng);
}

/// The best that can come of a state, by taking every action.
double best_end(State const& state, double sign) {
    if (state.done()) return sign * state.cost();
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < state.action_mask().size(); ++a) {
        if (state.action_mask()[a] == 0) continue;
        StatePtr const next = state.clone();
        next->step(a);
        best = std::max(best, best_end(*next, sign));
    }
    return best;
}

/// The definition, on a state whose every episode can be played.
void expect_definition(char const* problem, char const* size, double sign, PriceLesson const& lesson) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        InstancePtr const instance = generated(problem, size, seed);
        StatePtr const state = instance->reset();
        std::vector<std::size_t> before;
        for (int step = 0; step < 2; ++step) {
            auto const mask = state->action_mask();
            before.push_back(static_cast<std::size_t>(std::ranges::find(mask, 1) - mask.begin()));
            state->step(before.back());
        }
        if (state->done()) continue;
        std::vector<float> log_probs(state->action_mask().size());
        for (std::size_t a = 0; a < log_probs.size(); ++a) log_probs[a] = -0.3F * static_cast<float>(a);
        auto const wanted = wanted_actions(*state, before, log_probs, lesson);
        ASSERT_TRUE(wanted) << wanted.error().message;
        std::vector<double> worth(state->action_mask().size(), -std::numeric_limits<double>::infinity());
        for (std::size_t a = 0; a < worth.size(); ++a) {
            if (state->action_mask()[a] == 0) continue;
            StatePtr const next = state->clone();
            next->step(a);
            worth[a] = best_end(*next, sign);
        }
        double const best = *std::ranges::max_element(worth);
        double sum = 0;
        for (std::size_t a = 0; a < worth.size(); ++a) {
            worth[a] = std::exp((worth[a] - best) / (lesson.scale * std::abs(best)));
            if (lesson.settle) worth[a] *= std::exp(double{log_probs[a]});
            sum += worth[a];
        }
        ASSERT_EQ(wanted->size(), worth.size());
        for (std::size_t a = 0; a < worth.size(); ++a)
            EXPECT_NEAR((*wanted)[a], worth[a] / sum, 1e-4) << problem << ' ' << seed << ' ' << a;
        EXPECT_NEAR(std::accumulate(wanted->begin(), wanted->end(), 0.0), 1, 1e-6);
    }
}

TEST(Prices, WantActionsByWhatTheirBestCompletionIsWorth) {
    for (double const scale : {0.003, 0.05, 2.0}) {
        expect_definition("knapsack", "9", 1, {.work = 100'000, .scale = scale});
        expect_definition("tsp", "6", -1, {.work = 100'000, .scale = scale});
    }
}

TEST(Prices, WantWhatIsLikelyMoreIfThePolicyIsToSettle) {
    expect_definition("knapsack", "9", 1, {.work = 100'000, .scale = 0.05, .settle = true});
    expect_definition("tsp", "6", -1, {.work = 100'000, .scale = 0.05, .settle = true});
}

TEST(Prices, WantNothingWhereNothingIsKnownToKeepTheRules) {
    InstancePtr const instance = generated("cvrp", "16", 1);
    auto const wanted = wanted_actions(*instance->reset(), {}, {}, {.work = 0, .scale = 0.003});
    ASSERT_TRUE(wanted) << wanted.error().message;
    EXPECT_EQ(*wanted, std::vector<float>(17, 0.0F));
}

TEST(Prices, AreNumbersHoweverUnlikelyAnActionIsAndHoweverBad) {
    InstancePtr const instance = generated("knapsack", "9", 1);
    StatePtr const state = instance->reset();
    std::vector<float> log_probs(9, -2000.0F);
    log_probs[3] = 0;
    auto const wanted = wanted_actions(*state, {}, log_probs, {.work = 100'000, .scale = 1e-6, .settle = true});
    ASSERT_TRUE(wanted);
    EXPECT_NEAR(std::accumulate(wanted->begin(), wanted->end(), 0.0), 1, 1e-6);
}

} // namespace
} // namespace cax::train
