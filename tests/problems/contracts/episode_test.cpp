// From reset to a checked solution.
#include "contract.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <set>

namespace cax::test {
namespace {

TEST_P(ProblemContract, EndsRandomEpisodesWithASolutionThatTheCheckerAccepts) {
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        auto const instance = generated(seed);
        Rng rng(1, seed);
        auto const state = instance->reset();
        auto const actions = random_episode(*state, rng);
        auto const solution = instance->solution_of(actions);
        ASSERT_TRUE(solution) << solution.error().message;
        auto const report = instance->check(*solution);
        // Where rules may be broken on the way, the checker counts what is left of them.
        ASSERT_TRUE(report.valid() || info().may_be_unsolvable) << report.violations[0];
        EXPECT_NEAR(report.cost, state->cost(), 1e-9 * report.cost);
    }
}

TEST_P(ProblemContract, StaysFinishedOnceFinished) {
    Rng rng(2);
    auto const state = generated(1)->reset();
    random_episode(*state, rng);
    double const cost = state->cost();
    for (int i = 0; i < 3; ++i) {
        state->step(0);
        EXPECT_TRUE(state->done());
        EXPECT_EQ(state->cost(), cost);
    }
}

TEST_P(ProblemContract, LeavesTheOriginalAloneWhenACloneGoesOn) {
    Rng rng(3);
    auto const state = generated(2)->reset();
    random_steps(*state, rng, 3);
    auto const before = tensors_of(*state);
    auto const copy = state->clone();
    expect_same_tensors(before, tensors_of(*copy));
    random_episode(*copy, rng);
    expect_same_tensors(before, tensors_of(*state));
    EXPECT_FALSE(state->done());
    EXPECT_EQ(&copy->instance(), &state->instance());
}

TEST_P(ProblemContract, KeepsTheInstanceAliveWhileAStateUsesIt) {
    StatePtr state;
    {
        auto const instance = generated(3);
        state = instance->reset();
    }
    Rng rng(4);
    random_episode(*state, rng);
    EXPECT_EQ(&state->instance().problem(), &problem());
}

TEST_P(ProblemContract, OffersStartsThatTheMaskAllows) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        auto const instance = generated(seed);
        auto const allowed = allowed_actions(*instance->reset());
        for (std::size_t const start : instance->start_actions()) {
            EXPECT_NE(std::ranges::find(allowed, start), allowed.end()) << start;
        }
    }
}

TEST_P(ProblemContract, FindsEveryAllowedActionWithinItsRules) {
    Rng rng(5);
    std::size_t measured = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        auto const state = generated(seed)->reset();
        while (!state->done()) {
            for (std::size_t const action : allowed_actions(*state)) {
                for (Slack const& slack : slacks_of(*state, action)) {
                    ++measured;
                    EXPECT_LT(slack.family, info().families.size());
                    EXPECT_FALSE(slack.rule.empty());
                    if (info().may_be_unsolvable) continue; // late visits are allowed
                    EXPECT_GE(slack.slack, -1e-4 * std::max(1.0, std::abs(slack.limit))) << slack.rule;
                    EXPECT_NEAR(slack.slack, slack.limit - slack.used, 1e-9 * std::max(1.0, std::abs(slack.limit)));
                }
            }
            random_steps(*state, rng, 1);
        }
    }
    EXPECT_TRUE(measured > 0 || info().families.size() == 1); // of distances alone nothing runs short
}

TEST_P(ProblemContract, DescribesDifferentActionsDifferently) {
    auto const state = generated(4)->reset();
    std::set<std::string> sentences;
    for (std::size_t a = 0; a < state->action_mask().size(); ++a) sentences.insert(describe_action(*state, a));
    EXPECT_EQ(sentences.size(), state->action_mask().size());
    EXPECT_FALSE(sentences.contains(""));
}

TEST_P(ProblemContract, RefusesEpisodesThatAreCutOrLeaveTheRange) {
    Rng rng(6);
    auto const instance = generated(5);
    auto const state = instance->reset();
    auto actions = random_episode(*state, rng);
    std::size_t const last = actions.back();
    actions.pop_back();
    EXPECT_FALSE(instance->solution_of(actions));
    actions.push_back(state->action_mask().size());
    EXPECT_FALSE(instance->solution_of(actions));
    actions.back() = last;
    EXPECT_TRUE(instance->solution_of(actions));
}

TEST_P(ProblemContract, WritesSolutionsToJsonAndReadsThemBack) {
    Rng rng(7);
    auto const instance = generated(6);
    auto const state = instance->reset();
    auto const solution = instance->solution_of(random_episode(*state, rng));
    ASSERT_TRUE(solution);
    auto const read = solution_from_json(*instance, Json::parse(solution_to_json(*instance, *solution).dump()));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, *solution);
    for (char const* text : {"null", "[]", "{}", "7", "\"x\""}) {
        EXPECT_FALSE(solution_from_json(*instance, Json::parse(text))) << text;
    }
}

TEST_P(ProblemContract, ReportsAnEmptyAndAForeignSolutionInsteadOfFailing) {
    auto const instance = generated(7);
    auto const empty_routes = instance->check(Routes{});
    auto const empty_schedule = instance->check(Schedule{});
    auto const empty_packing = instance->check(Packing{});
    EXPECT_LE(empty_routes.valid() + empty_schedule.valid() + empty_packing.valid(),
              1); // the others are of another kind
    EXPECT_FALSE(instance->check(Packing{{1'000'000'000}}).valid());
    EXPECT_FALSE(instance->check(Routes{{{1'000'000'000}}}).valid());
    EXPECT_FALSE(instance->check(Schedule{{{1'000'000'000, 0, 0}}}).valid());
}

TEST_P(ProblemContract, FindsTheEpisodeThatMakesASolution) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Rng rng(seed);
        InstancePtr const instance = generated(seed);
        auto const actions = random_episode(*instance->reset(), rng);
        auto const episode = instance->solution_of(actions);
        ASSERT_TRUE(episode) << episode.error().message;
        if (info().may_be_unsolvable && !instance->check(*episode).valid()) {
            EXPECT_FALSE(actions_of(*instance, *episode, actions));
            continue;
        }
        Result<Solution> const& solution = episode;
        auto const found = actions_of(*instance, *solution, actions);
        ASSERT_TRUE(found) << found.error().message;
        auto const again = instance->solution_of(*found);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(*again, *solution);
        if (std::holds_alternative<Routes>(*solution)) {
            EXPECT_EQ(*found, actions);
        }
    }
}

} // namespace
} // namespace cax::test
