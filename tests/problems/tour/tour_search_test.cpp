// Search, exact method and constraint model of the tour problems against trying everything.
#include "tour_support.hpp"

#include "cax/problems/decision_model.hpp"
#include "cax/solvers/csp.hpp"

#include <cmath>

namespace cax::test {
namespace {

struct Kind {
    char const* problem;
    std::size_t size;
    Options options = {};
};
std::vector<Kind> kinds() { return {{"tsp", 7}, {"pctsp", 6}, {"tsptw", 7}, {"tsptw", 7, {{"hardness", "medium"}}}}; }

TEST(TourSearch, FindsTheOptimumOfSmallInstancesAndProvesIt) {
    for (Kind const& kind : kinds()) {
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            auto const instance = generated_tour(kind.problem, kind.size, seed, kind.options);
            auto const cheapest = cheapest_by_trying(*instance);
            auto const found = search(*instance, {.seconds = 60, .seed = seed, .bound = {}, .stop = {}});
            ASSERT_EQ(bool(found), cheapest.has_value()) << kind.problem << " " << seed;
            if (!found) continue;
            EXPECT_NEAR(found->cost, *cheapest, 1e-7) << kind.problem << " " << seed;
            EXPECT_TRUE(found->optimal) << kind.problem << " " << seed;
        }
    }
}

/// The exact method's answer and the general solver's, both checked.
void expect_answer(Instance const& instance, Question const& question, bool expected, std::string const& where) {
    for (Rounding const rounding : {Rounding::strict, Rounding::loose}) {
        auto const decision = decision_model_of(instance, question, rounding);
        ASSERT_TRUE(decision) << decision.error().message;
        auto const witness = [&](Solution const& solution) {
            auto const report = check_answer(instance, solution, question);
            EXPECT_TRUE(report.valid()) << where << ": " << report.violations.front();
        };
        if (decision->model.variables.empty()) {
            ASSERT_EQ(violated(decision->model, {}).empty(), expected) << where;
            if (expected) witness(decision->solution({}));
            continue;
        }
        auto const answer = gecode_solver().solve(decision->model, {.work = 1'000'000, .seconds = 60, .seed = 1});
        ASSERT_TRUE(answer) << answer.error().message;
        ASSERT_EQ(answer->status, expected ? CspStatus::satisfiable : CspStatus::unsatisfiable) << where;
        if (expected) witness(decision->solution(answer->assignment));
        ASSERT_TRUE(bool(decision->exact)) << where;
        auto const exact = decision->exact(1'000'000, {});
        ASSERT_EQ(exact.outcome, expected ? ExactAnswer::Outcome::found : ExactAnswer::Outcome::none) << where;
        if (expected) witness(*exact.solution);
    }
}

TEST(TourQuestions, AboutCostsAndBeginningsAgreeWithTryingEverything) {
    for (Kind const& kind : kinds()) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            auto const instance = generated_tour(kind.problem, kind.size, 100 + seed, kind.options);
            std::vector<std::size_t> prefix;
            auto const state = instance->reset();
            Rng rng(6, static_cast<std::uint32_t>(seed));
            for (std::size_t step = 0; step < 4 && !state->done(); ++step) {
                std::string const where = std::string(kind.problem) + " " + std::to_string(seed) + " after " +
                                          std::to_string(step) + " steps";
                auto const cheapest = cheapest_by_trying(*instance, prefix);
                expect_answer(*instance, {.prefix = prefix, .bound = {}}, cheapest.has_value(), where);
                if (cheapest) {
                    expect_answer(*instance, {.prefix = prefix, .bound = *cheapest * (1 + 1e-4)}, true, where);
                    expect_answer(*instance, {.prefix = prefix, .bound = *cheapest * (1 - 1e-4)}, false, where);
                }
                std::size_t action = rng.below(state->action_mask().size());
                while (state->action_mask()[action] == 0) action = (action + 1) % state->action_mask().size();
                state->step(action);
                prefix.push_back(action);
            }
        }
    }
}

TEST(TourSearch, StopsAtTheBoundItIsGiven) {
    auto const instance = generated_tour("tsp", 30, 1);
    auto const best =
        search(*instance, {.seconds = 60, .iterations = 20'000, .seed = 1, .bound = {}, .exact = false, .stop = {}});
    ASSERT_TRUE(best);
    auto const enough =
        search(*instance,
               {.seconds = 60, .iterations = 20'000, .seed = 1, .bound = 1.2 * best->cost, .exact = false, .stop = {}});
    ASSERT_TRUE(enough);
    EXPECT_LE(enough->cost, 1.2 * best->cost);
    EXPECT_LT(enough->iterations, 20'000U);
}

TEST(TourSearch, SaysThatThereIsNoTourWithinAllWindows) {
    std::size_t unsolvable = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto const instance = generated_tour("tsptw", 8, seed, {{"hardness", "medium"}});
        if (cheapest_by_trying(*instance)) continue;
        ++unsolvable;
        auto const found = search(*instance, {.seconds = 60, .seed = seed, .bound = {}, .stop = {}});
        ASSERT_FALSE(found);
        EXPECT_EQ(found.error().message, "the search found no tour within all windows");
    }
    EXPECT_GT(unsolvable, 0U);
}

} // namespace
} // namespace cax::test
