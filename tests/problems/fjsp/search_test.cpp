#include "all_schedules.hpp"
#include "shops.hpp"

#include "cax/problems/questions.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cax::test {
namespace {

SearchOptions iterations(std::uint64_t count, std::uint64_t seed = 1) {
    return {.seconds = 60, .iterations = count, .seed = seed, .bound = {}, .stop = {}};
}

InstancePtr generated(std::string const& size, std::uint64_t seed) {
    Rng rng(seed);
    return *fjsp_problem().generate(size, {}, rng);
}

TEST(FjspSearch, FindsTheOptimumOfMostSmallShopsAndNeverLess) {
    std::size_t optimal = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        auto const shop = tiny_shop(seed, seed % 2 == 0 ? 1.0F : 0.3F);
        auto const result = search(*shop, iterations(3000));
        ASSERT_TRUE(result) << result.error().message;
        double const best = AllSchedules(*shop).best;
        EXPECT_GE(result->cost, best * (1 - 1e-9)) << "seed " << seed;
        optimal += result->cost <= best * (1 + 1e-9) ? 1 : 0;
        EXPECT_TRUE(!result->optimal || result->cost <= best * (1 + 1e-9)) << "seed " << seed;
        EXPECT_TRUE(shop->check(result->solution).valid());
        ASSERT_TRUE(result->lower_bound.has_value());
        EXPECT_LE(*result->lower_bound, best * (1 + 1e-9)) << "seed " << seed;
        EXPECT_EQ(result->optimal, *result->lower_bound == result->cost);
    }
    EXPECT_GE(optimal, 90U) << "of 100";
}

TEST(FjspSearch, ImprovesTheScheduleItIsGiven) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        auto const shop = generated("10x5", seed);
        auto const good = search(*shop, iterations(20'000, 9));
        ASSERT_TRUE(good);
        SearchOptions options = iterations(0);
        EXPECT_GT(search(*shop, options)->cost, good->cost);
        Schedule late = std::get<Schedule>(good->solution);
        for (Schedule::Entry& entry : late.entries) entry.start += 7;
        options.start = late;
        auto const kept = search(*shop, options);
        ASSERT_TRUE(kept) << kept.error().message;
        EXPECT_EQ(kept->cost, good->cost) << "the same orders, as early as they can be";
    }
}

/// The shortest makespan of all episodes.
double best_episode(State const& state) {
    if (state.done()) return state.cost();
    double best = 1e30;
    for (std::size_t action = 0; action < state.action_mask().size(); ++action) {
        if (state.action_mask()[action] == 0) continue;
        StatePtr const next = state.clone();
        next->step(action);
        best = std::min(best, best_episode(*next));
    }
    return best;
}

TEST(FjspSearch, ImprovesEpisodesAmongEpisodes) {
    std::size_t optimal = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        auto const shop = tiny_shop(seed, seed % 2 == 0 ? 1.0F : 0.3F);
        Rng rng(seed, 1);
        StatePtr const first = shop->reset();
        auto const actions = random_episode(*first, rng);
        auto const better = improved_episode(*shop, actions, 300, rng);
        ASSERT_TRUE(better);
        StatePtr const state = shop->reset();
        for (std::size_t const action : *better) {
            ASSERT_NE(state->action_mask()[action], 0) << "seed " << seed;
            state->step(action);
        }
        ASSERT_TRUE(state->done());
        EXPECT_LE(state->cost(), first->cost());
        double const best = best_episode(*shop->reset());
        EXPECT_GE(state->cost(), best);
        optimal += state->cost() == best ? 1 : 0;
    }
    EXPECT_GE(optimal, 54U) << "of 60";
}

TEST(FjspSearch, EndsWithTheFirstScheduleWithinTheHorizon) {
    auto const shop = generated("10x5", 2);
    auto const first = search(*shop, iterations(0));
    ASSERT_TRUE(first);
    SearchOptions options = iterations(1'000'000);
    options.bound = first->cost - 1;
    auto const result = search(*shop, options);
    ASSERT_TRUE(result);
    EXPECT_LE(result->cost, first->cost - 1);
    EXPECT_LT(result->iterations, 1'000'000U);
}

TEST(FjspSearch, AgreesWithTheBestOfThreeJobs) {
    auto const shop = make_shop(two_machines_three_jobs());
    auto const result = search(*shop, iterations(1000));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->cost, AllSchedules(*shop).best);
}

TEST(FjspCostGrain, IsTheLargestNumberThatDividesEveryTime) {
    auto const grain = [](std::vector<float> const& times) {
        fjsp::Data data{.machines = 1};
        for (float const time : times) data.jobs.push_back({{{0, time}}});
        return cost_grain_of(*make_shop(std::move(data)));
    };
    EXPECT_EQ(grain({1, 2, 3}), 1);
    EXPECT_EQ(grain({6, 10, 4}), 2);
    EXPECT_EQ(grain({2.5F, 5}), 2.5);
    EXPECT_EQ(grain({0.75F, 1}), 0.25);
    EXPECT_EQ(grain({0.1F, 1}), 0) << "a tenth is no sum of few powers of two";
    EXPECT_EQ(grain({1, 0x1p31F}), 0) << "more steps than a proof can count";
}

} // namespace
} // namespace cax::test
