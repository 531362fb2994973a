// What a problem says about the best completion of a prefix, against all completions there are.
#include "cax/problems/completions.hpp"

#include "../best_episode.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace cax {
namespace {

/// A state on the way through a random episode, with the actions that led there.
struct Moment {
    InstancePtr instance;
    std::vector<std::size_t> prefix;
    StatePtr state;
};

std::vector<std::size_t> allowed_actions(State const& state) {
    std::vector<std::size_t> allowed;
    for (std::size_t a = 0; a < state.action_mask().size(); ++a) {
        if (state.action_mask()[a] != 0) allowed.push_back(a);
    }
    return allowed;
}

std::vector<Moment> moments(Problem const& problem, std::string const& size, std::size_t count) {
    std::vector<Moment> found;
    for (std::uint32_t seed = 0; found.size() < count; ++seed) {
        Rng rng(seed, 2);
        auto const instance = problem.generate(size, {}, rng);
        StatePtr state = (*instance)->reset();
        std::vector<std::size_t> prefix;
        auto const wanted = rng.below(4);
        while (!state->done() && prefix.size() < wanted) {
            auto const allowed = allowed_actions(*state);
            prefix.push_back(allowed[rng.below(allowed.size())]);
            state->step(prefix.back());
        }
        if (!state->done()) found.push_back({*instance, prefix, std::move(state)});
    }
    return found;
}

std::optional<double> best_after(Moment const& moment, std::size_t action) {
    StatePtr const next = moment.state->clone();
    next->step(action);
    std::vector<std::size_t> actions = moment.prefix;
    actions.push_back(action);
    return test::best_episode(*next, actions);
}

class BestCompletions : public testing::TestWithParam<Problem const*> {
protected:
    [[nodiscard]] ProblemInfo const& info() const { return GetParam()->info(); }
    [[nodiscard]] bool routing() const { return info().size_hint == "N"; }
    [[nodiscard]] std::vector<Completion> asked(Moment const& moment, std::vector<std::size_t> const& actions,
                                                std::uint64_t proof, std::uint64_t search,
                                                std::span<Solution const> known = {}) const {
        auto answers = completions_of(*moment.instance, {.prefix = moment.prefix,
                                                         .actions = actions,
                                                         .known = known,
                                                         .prove = proof > 0,
                                                         .proof_work = proof,
                                                         .search_work = search});
        EXPECT_TRUE(answers) << answers.error().message;
        return *answers;
    }
};

TEST_P(BestCompletions, OfFewCustomersAreThoseOfAllEpisodes) {
    if (!routing()) GTEST_SKIP() << "schedules are not proved by a programme";
    std::size_t solved = 0;
    std::size_t dead_ends = 0;
    for (Moment const& moment : moments(*GetParam(), info().objective == Objective::maximise ? "7" : "5", 200)) {
        auto const actions = allowed_actions(*moment.state);
        auto const answers = asked(moment, actions, 10'000'000, 0);
        for (std::size_t k = 0; k < actions.size(); ++k) {
            auto const best = best_after(moment, actions[k]);
            ASSERT_EQ(answers[k].impossible, !best);
            if (!best) {
                EXPECT_FALSE(answers[k].solution);
                ++dead_ends;
                continue;
            }
            ++solved;
            ASSERT_TRUE(answers[k].optimal);
            EXPECT_NEAR(answers[k].cost, *best, 1e-6 * (1 + std::fabs(*best)));
            EXPECT_EQ(answers[k].bound, answers[k].cost);
        }
    }
    EXPECT_GT(solved, 50U);
    EXPECT_EQ(dead_ends > 50U, info().may_be_unsolvable);
}

TEST_P(BestCompletions, BeginLikeTheyAreToldAndAreSolutions) {
    for (Moment const& moment : moments(*GetParam(), routing() ? "15" : "4x3", 25)) {
        auto const actions = allowed_actions(*moment.state);
        auto const answers = asked(moment, actions, 1'000'000, 200);
        for (std::size_t k = 0; k < actions.size(); ++k) {
            if (!answers[k].solution) continue;
            Question question{.prefix = moment.prefix, .bound = {}};
            question.prefix.push_back(actions[k]);
            CheckReport const report = check_answer(*moment.instance, *answers[k].solution, question);
            EXPECT_TRUE(report.valid()) << report.violations.front();
            EXPECT_DOUBLE_EQ(report.cost, answers[k].cost);
            if (!answers[k].bound) continue;
            if (info().objective == Objective::minimise) {
                EXPECT_LE(*answers[k].bound, answers[k].cost * (1 + 1e-9));
            } else {
                EXPECT_GE(*answers[k].bound, answers[k].cost * (1 - 1e-9));
            }
        }
    }
}

TEST_P(BestCompletions, BySearchAreNeverWorseThanWhatIsKnownAndTheSameEveryTime) {
    std::size_t compared = 0;
    for (Moment& moment : moments(*GetParam(), routing() ? "20" : "5x3", 8)) {
        // A random way to the end.
        Rng rng(9);
        StatePtr const state = moment.state->clone();
        std::vector<std::size_t> actions = moment.prefix;
        while (!state->done()) {
            auto const allowed = allowed_actions(*state);
            actions.push_back(allowed[rng.below(allowed.size())]);
            state->step(actions.back());
        }
        std::vector<Solution> known{*moment.instance->solution_of(actions)};
        if (info().may_be_unsolvable && !moment.instance->check(known.front()).valid()) {
            SearchOptions options;
            options.iterations = 1;
            auto const found = search(*moment.instance, options);
            ASSERT_TRUE(found) << found.error().message;
            known = {found->solution};
            actions = *actions_of(*moment.instance, found->solution, {});
            moment.prefix.assign(actions.begin(), actions.begin() + 2);
        }
        CheckReport const report = moment.instance->check(known.front());
        ASSERT_TRUE(report.valid());
        std::vector<std::size_t> const first{actions[moment.prefix.size()]};
        auto const answer = asked(moment, first, 0, 150, known);
        auto const again = asked(moment, first, 0, 150, known);
        ASSERT_TRUE(answer.front().solution);
        EXPECT_EQ(answer.front().solution, again.front().solution);
        bool const minimise = info().objective == Objective::minimise;
        EXPECT_TRUE(minimise ? answer.front().cost <= report.cost : answer.front().cost >= report.cost);
        ++compared;
    }
    EXPECT_EQ(compared, 8U);
}

TEST_P(BestCompletions, BySearchAloneAreNearlyAlwaysThoseOfAllEpisodes) {
    if (!routing()) GTEST_SKIP() << "schedules are compared below";
    std::size_t compared = 0, missed = 0;
    for (Moment const& moment : moments(*GetParam(), "5", 20)) {
        auto const actions = allowed_actions(*moment.state);
        auto const answers = asked(moment, actions, 0, 300);
        for (std::size_t k = 0; k < actions.size(); ++k) {
            auto const best = best_after(moment, actions[k]);
            if (!best || !answers[k].solution) continue; // not every problem searches without a solution to begin with
            ++compared;
            missed += std::fabs(answers[k].cost - *best) > 1e-6 * (1 + std::fabs(*best)) ? 1 : 0;
        }
    }
    EXPECT_GT(compared, 5U);
    EXPECT_LE(missed, compared / 20) << "of " << compared;
}

TEST_P(BestCompletions, OfSchedulesAreBoundedFromBelowByAllEpisodes) {
    if (routing()) GTEST_SKIP() << "bounds of routes are proofs";
    std::size_t met = 0;
    std::size_t missed = 0;
    for (Moment const& moment : moments(*GetParam(), "2x2", 30)) {
        auto const actions = allowed_actions(*moment.state);
        auto const answers = asked(moment, actions, 1, 2000);
        for (std::size_t k = 0; k < actions.size(); ++k) {
            // Episodes never let a machine stand idle that could work; a schedule may, so it may be shorter.
            auto const best = best_after(moment, actions[k]);
            ASSERT_TRUE(best && answers[k].bound && answers[k].solution);
            EXPECT_LE(*answers[k].bound, *best + 1e-6);
            EXPECT_LE(answers[k].bound, answers[k].cost);
            if (answers[k].cost > *best + 1e-6) ++missed;
            if (answers[k].optimal) ++met;
        }
    }
    EXPECT_GT(met, 10U);
    EXPECT_LE(missed, 3U); // it is a search
}

TEST_P(BestCompletions, ProveNothingWhenTheWorkRunsOut) {
    for (Moment const& moment : moments(*GetParam(), routing() ? "14" : "5x3", 3)) {
        auto const actions = allowed_actions(*moment.state);
        auto const answers = asked(moment, actions, 1, 0);
        for (std::size_t k = 0; routing() && k < actions.size(); ++k) {
            if (actions[k] != 0) { // home may be the end, which needs no proof
                EXPECT_FALSE(answers[k].optimal);
            }
        }
    }
}

std::vector<Problem const*> problems_with_completions() {
    std::vector<Problem const*> with;
    for (Problem const* problem : all_problems()) {
        if (problem->completions() != nullptr) with.push_back(problem);
    }
    return with;
}

INSTANTIATE_TEST_SUITE_P(Problems, BestCompletions, testing::ValuesIn(problems_with_completions()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
