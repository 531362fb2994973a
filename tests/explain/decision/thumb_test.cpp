#include "cax/explain/thumb.hpp"

#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace cax {
namespace {

class ThumbsOfWalks : public testing::TestWithParam<Problem const*> {
protected:
    void SetUp() override {
        auto made = make_policy(test::random_policy(GetParam()->info().name, 16, 1, 7), {.threads = 1});
        ASSERT_TRUE(made) << made.error().message;
        policy_ = *std::move(made);
        Rng rng(3);
        std::vector<InstancePtr> const instances{
            *GetParam()->generate(GetParam()->info().size_hint == "N" ? "12" : "4x3", {}, rng)};
        auto episodes = rollout(*policy_, instances);
        ASSERT_TRUE(episodes) << episodes.error().message;
        episode_ = episodes->front();
    }
    std::unique_ptr<Policy> policy_;
    Episode episode_;
};

TEST_P(ThumbsOfWalks, CountAgreementsAndDepartures) {
    ThumbStory const story = thumb_story(episode_);
    std::size_t decisions = 0;
    for (Decision const& decision : episode_.decisions) decisions += decision.runner_up() ? 1 : 0;
    ASSERT_EQ(story.rules.size(), rules_of_thumb(*GetParam()).size());
    for (std::size_t r = 0; r < story.rules.size(); ++r) {
        ThumbRecord const& record = story.rules[r];
        EXPECT_EQ(record.decisions, decisions);
        EXPECT_EQ(record.agreed + record.departures.size(), decisions);
        EXPECT_GT(record.chance, 0);
        EXPECT_LE(record.chance, 1);
        for (Decision const& decision : episode_.decisions) {
            if (!decision.runner_up()) continue;
            auto const scores = GetParam()->thumb()->thumb_scores(*decision.state, r);
            double const best = *std::ranges::min_element(scores);
            bool const departs = std::ranges::find(record.departures, decision.step) != record.departures.end();
            EXPECT_EQ(departs, scores[decision.action] > best + 1e-6 * (1 + std::fabs(best))) << record.rule.name;
        }
        EXPECT_LE(record.agreed, story.rules[*story.best()].agreed);
    }
}

TEST_P(ThumbsOfWalks, AgreeWithAWalkThatFollowsTheRule) {
    for (std::size_t r = 0; r < rules_of_thumb(*GetParam()).size(); ++r) {
        Episode followed{episode_.instance, {}, true};
        StatePtr const state = episode_.instance->reset();
        while (!state->done()) {
            auto const scores = GetParam()->thumb()->thumb_scores(*state, r);
            Decision decision;
            decision.step = followed.decisions.size();
            decision.state = state->clone();
            decision.action = static_cast<std::size_t>(std::ranges::min_element(scores) - scores.begin());
            decision.log_probs.assign(scores.size(), 0);
            followed.decisions.push_back(decision);
            state->step(decision.action);
        }
        ThumbStory const story = thumb_story(followed);
        EXPECT_TRUE(story.rules[r].departures.empty());
        EXPECT_EQ(story.rules[r].agreed, story.rules[r].decisions);
    }
}

INSTANTIATE_TEST_SUITE_P(Problems, ThumbsOfWalks, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
