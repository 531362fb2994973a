#include "support.hpp"

#include <gtest/gtest.h>

namespace cax::knapsack::test {
namespace {

TEST(KnapsackSearch, FindsAndProvesTheBestOfAllSubsets) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        auto const instance = generated("14", seed);
        auto const found = instance->search({.seconds = 60, .stop = {}});
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_TRUE(found->optimal);
        EXPECT_NEAR(found->cost, *best_subset(instance->data()), 1e-9) << seed;
        EXPECT_EQ(found->lower_bound, found->cost);
    }
}

TEST(KnapsackSearch, ProvesHundredItemsAndSaysHowFarItIsWhenItIsStopped) {
    auto const instance = generated("100", 1);
    auto const best = instance->search({.seconds = 60, .stop = {}});
    ASSERT_TRUE(best && best->optimal);
    auto const stopped = instance->search({.seconds = 60, .iterations = 10, .stop = {}});
    ASSERT_TRUE(stopped);
    EXPECT_FALSE(stopped->optimal);
    EXPECT_LE(stopped->cost, best->cost);
    EXPECT_GE(*stopped->lower_bound, best->cost);
}

TEST(KnapsackSearch, FillsUpWithItemsThatAreWorthNothing) {
    auto const instance = make({.values = {1, 0, 0}, .weights = {0.5F, 0.4F, 0.2F}, .volumes = {0.5F, 0.4F, 0.2F}});
    auto const found = instance->search({.seconds = 60, .stop = {}});
    ASSERT_TRUE(found);
    EXPECT_EQ(std::get<Packing>(found->solution).items, (std::vector<std::size_t>{0, 1}));
}

/// The price of every first action, by trying all subsets.
TEST(KnapsackCompletions, AreTheBestSubsetsThatContainWhatIsPacked) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        auto const instance = generated("12", seed);
        StatePtr const state = instance->reset();
        std::vector<std::size_t> prefix;
        while (!state->done()) {
            std::vector<std::size_t> allowed;
            for (std::size_t i = 0; i < 12; ++i) {
                if (state->action_mask()[i] != 0) allowed.push_back(i);
            }
            auto const answers =
                instance->completions({.prefix = prefix, .actions = allowed, .known = {}, .proof_work = 1'000'000});
            ASSERT_TRUE(answers) << answers.error().message;
            for (std::size_t k = 0; k < allowed.size(); ++k) {
                std::vector<std::size_t> needed = prefix;
                needed.push_back(allowed[k]);
                ASSERT_TRUE((*answers)[k].optimal);
                EXPECT_NEAR((*answers)[k].cost, *best_subset(instance->data(), needed), 1e-9);
            }
            prefix.push_back(allowed[seed % allowed.size()]);
            state->step(prefix.back());
        }
    }
}

/// At the very value of the best subset the answer is yes, a little above it no.
TEST(KnapsackDecision, SaysYesUpToTheBestValueAndNoBeyond) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto const instance = generated("12", seed);
        std::vector<std::size_t> const prefix(seed % 2, 3);
        double const best = *best_subset(instance->data(), prefix);
        auto const answer = [&](double bound, Rounding rounding) -> std::optional<Solution> {
            auto const decision = instance->decision_model({.prefix = prefix, .bound = bound}, rounding);
            EXPECT_TRUE(decision) << decision.error().message;
            if (decision->model.variables.empty())
                return violated(decision->model, {}).empty() ? std::optional(decision->solution({})) : std::nullopt;
            auto const exact = decision->exact(1'000'000, {});
            EXPECT_TRUE(exact.outcome == ExactAnswer::Outcome::found || exact.outcome == ExactAnswer::Outcome::none);
            return exact.solution;
        };
        for (double const bound : {0.5 * best, 0.97 * best, best}) {
            auto const yes = answer(bound, Rounding::strict);
            ASSERT_TRUE(yes) << seed << ": " << bound << " of " << best;
            EXPECT_TRUE(instance->check_answer(*yes, {.prefix = prefix, .bound = bound}).valid());
        }
        EXPECT_FALSE(answer(best + 0.01, Rounding::loose)) << seed;
        EXPECT_FALSE(answer(1e6, Rounding::loose));
    }
}

TEST(KnapsackDecision, StopsWhenItIsToldToOrItsWorkIsSpent) {
    auto const instance = generated("100", 2);
    auto const best = instance->search({.seconds = 60, .stop = {}});
    ASSERT_TRUE(best && best->optimal);
    auto const decision = instance->decision_model({.prefix = {}, .bound = best->cost + 0.005}, Rounding::loose);
    ASSERT_TRUE(decision && decision->exact);
    EXPECT_EQ(decision->exact(3, {}).outcome, ExactAnswer::Outcome::budget_spent);
    EXPECT_EQ(decision->exact(1'000'000'000, [] { return true; }).outcome, ExactAnswer::Outcome::stopped);
    EXPECT_EQ(decision->exact(1'000'000'000, {}).outcome, ExactAnswer::Outcome::none);
}

} // namespace
} // namespace cax::knapsack::test
