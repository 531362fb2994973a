// What every problem's classical search promises; that it is any good is for the problem's own tests.
#include "contract.hpp"
#include "variant_problems.hpp"

#include "cax/problems/questions.hpp"

#include <cmath>

namespace cax::test {
namespace {

/// The heuristic alone: methods that prove do not count iterations.
SearchOptions iterations(std::uint64_t count, std::uint64_t seed = 1) {
    return {.seconds = 60, .iterations = count, .seed = seed, .bound = {}, .exact = false, .stop = {}};
}

/// Larger is better.
double worth(Problem const& problem, SearchResult const& result) {
    return problem.info().objective == Objective::maximise ? result.cost : -result.cost;
}

TEST_P(ProblemContract, FindsTheSameSolutionForTheSameSeed) {
    if (problem().questions() == nullptr) GTEST_SKIP() << info().name << " has no search";
    auto const instance = generated(3);
    auto const one = search(*instance, iterations(300, 5));
    auto const two = search(*instance, iterations(300, 5));
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->solution, two->solution);
    EXPECT_EQ(one->iterations, two->iterations);
}

TEST_P(ProblemContract, FindsSolutionsThatAreNeverWorseThanItsFirstAndBetterAfterAWhile) {
    if (problem().questions() == nullptr) GTEST_SKIP() << info().name << " has no search";
    double gained = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        auto const instance = generated(seed);
        auto const first = search(*instance, iterations(0));
        auto const some = search(*instance, iterations(100));
        auto const many = search(*instance, iterations(5000));
        ASSERT_TRUE(first && some && many);
        EXPECT_GE(worth(problem(), *some), worth(problem(), *first));
        EXPECT_GE(worth(problem(), *many), worth(problem(), *first));
        gained += worth(problem(), *many) - worth(problem(), *first);
        for (auto const* result : {&first, &some, &many}) {
            CheckReport const report = instance->check((*result)->solution);
            EXPECT_TRUE(report.valid());
            EXPECT_EQ(report.cost, (*result)->cost);
        }
    }
    EXPECT_TRUE(gained > 0 || info().may_be_unsolvable); // narrow windows leave few tours to choose from
}

TEST_P(ProblemContract, FindsTheBestOfAllEpisodesOfSmallInstances) {
    if (problem().questions() == nullptr) GTEST_SKIP() << info().name << " has no search";
    for (bool const exact : {false, true}) {
        SearchMisses const misses = misses_of_search(problem(), exact);
        EXPECT_LE(misses.missed, 1U) << "exact: " << exact; // a search may miss, but not often
        EXPECT_EQ(misses.falsely_proved, 0U);
        EXPECT_EQ(misses.impossible, 0U);
    }
}

TEST(SearchContract, NoticesASearchThatMinimisesTheWrongLength) {
    EXPECT_GT(misses_of_search(misled_problem(), /*exact=*/false).missed, 1U);
    EXPECT_GT(misses_of_search(misled_problem(), /*exact=*/true).missed, 1U);
}

TEST_P(ProblemContract, KeepsOrImprovesTheSolutionItsSearchIsGiven) {
    if (problem().questions() == nullptr) GTEST_SKIP() << info().name << " has no search";
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        auto const instance = generated(seed);
        auto const good = search(*instance, iterations(2000, 9));
        ASSERT_TRUE(good);
        for (std::uint64_t const count : {0, 300}) {
            SearchOptions options = iterations(count);
            options.start = good->solution;
            auto const kept = search(*instance, options);
            ASSERT_TRUE(kept) << kept.error().message;
            EXPECT_GE(worth(problem(), *kept), worth(problem(), *good) - 1e-9);
            EXPECT_TRUE(instance->check(kept->solution).valid());
        }
    }
}

TEST_P(ProblemContract, EndsItsSearchWithAValidSolutionWheneverItIsStopped) {
    if (problem().questions() == nullptr) GTEST_SKIP() << info().name << " has no search";
    auto const instance = generated(2);
    for (int const patience : {0, 3}) {
        int asked = 0;
        auto const result =
            search(*instance, {.seconds = 1e9, .bound = {}, .stop = [&] { return ++asked > patience; }});
        ASSERT_TRUE(result);
        EXPECT_TRUE(instance->check(result->solution).valid());
    }
}

TEST_P(ProblemContract, RefusesSearchOptionsThatMakeNoSense) {
    if (problem().questions() == nullptr) GTEST_SKIP() << info().name << " has no search";
    auto const instance = generated(1);
    auto const refused = [&](SearchOptions const& options, std::string_view word) {
        auto const result = search(*instance, options);
        ASSERT_FALSE(result) << word;
        EXPECT_TRUE(result.error().message.starts_with(word)) << result.error().message;
    };
    refused({.seconds = -1, .stop = {}}, "seconds: -1");
    refused({.seconds = std::nan(""), .stop = {}}, "seconds: nan");
    refused({.bound = -2, .stop = {}}, "bound: -2");
    refused({.bound = std::nan(""), .stop = {}}, "bound: nan");
    refused({.start = Routes{{{1, 1}}}, .stop = {}}, "the solution to begin with: ");
    refused({.start = Schedule{{{0, 0, -1}}}, .stop = {}}, "the solution to begin with: ");
}

} // namespace
} // namespace cax::test
