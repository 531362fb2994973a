#include "counterfactual_cells.hpp"

#include <algorithm>
#include <cmath>

namespace cax {
namespace {

class Answers : public test::CellsOfAProblem {
protected:
    [[nodiscard]] static AnswerOptions guided() {
        AnswerOptions request = refined({});
        request.finder = FlipSearch::guided;
        return request;
    }
};
INSTANTIATE_TEST_SUITE_P(AllProblems, Answers, testing::ValuesIn(all_problems()), test::problem_name);

TEST_P(Answers, OfAGuidedSearchSayWhatWasTried) {
    std::size_t flips = 0;
    for (CounterfactualAnswer const& answer : all(guided())) {
        ASSERT_TRUE(answer.guided);
        EXPECT_EQ(answer.report.shots, 0U);
        EXPECT_FALSE(answer.guided->flip) << "it is in `sampled`";
        if (answer.best() == nullptr) continue;
        ++flips;
        EXPECT_EQ(answer.sampled.size(), 1U);
        EXPECT_GT(answer.guided->tried + answer.guided->tried_together, 0U);
        EXPECT_GT(answer.guided->entries, 0U);
    }
    EXPECT_GT(flips, 2U);
}

TEST_P(Answers, OfAGuidedSearchStayOnTheMapUnlessAskedOtherwise) {
    for (bool const off_map : {false, true}) {
        AnswerOptions request = guided();
        request.off_map = off_map;
        std::size_t outside = 0;
        for (CounterfactualAnswer const& answer : all(request)) {
            if (answer.best() == nullptr) continue;
            auto const boxes = generator_boxes(*walks_[answer.instance].instance);
            ASSERT_TRUE(boxes);
            for (EntryChange const& change : answer.best()->flip.changes) {
                auto const& box = (*boxes)[change.tensor];
                double const slip = 1e-4 * (1 + std::fabs(change.to));
                bool const in = !box || (change.to >= std::min(box->low, change.from) - slip &&
                                         change.to <= std::max(box->high, change.from) + slip);
                outside += in ? 0 : 1;
            }
        }
        if (!off_map) {
            EXPECT_EQ(outside, 0U);
        }
    }
}

TEST_P(Answers, OfOneNumberTryEveryNumberBothWays) {
    AnswerOptions request = guided();
    request.one_number = true;
    Episode const& episode = walks_.front();
    auto const answer = answer_counterfactual(*policy_, episode, 0, request);
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_TRUE(answer->guided);
    EXPECT_FALSE(answer->guided->exhausted);
    EXPECT_GT(answer->guided->tried, answer->guided->entries) << "both directions";
    EXPECT_EQ(answer->guided->tried_together, 0U);
    if (answer->best() != nullptr) {
        EXPECT_EQ(answer->best()->flip.entries, 1U);
    }
}

TEST_P(Answers, OfAGuidedSearchRefuseWhatOnlyTheSamplerDoes) {
    auto const refused = [&](AnswerOptions const& request) {
        auto const found = answer_counterfactual(*policy_, walks_.front(), 0, request);
        return found ? "accepted" : found.error().message;
    };
    AnswerOptions request = guided();
    request.search.count = 3;
    EXPECT_EQ(refused(request), "--count 3: only --search sampler does that");
    request = guided();
    request.search.perturbation.joint = true;
    EXPECT_EQ(refused(request), "--joint: only --search sampler does that");
    request = guided();
    request.search.plain_loop = true;
    EXPECT_EQ(refused(request), "--plain-loop: only --search sampler does that");
}

/// A policy along another one's actions is asked in the states that they lead to.
TEST_P(Answers, AlongForcedActionsStartFromTheirOwnPast) {
    auto other = make_policy(test::random_policy(info().name, 16, 1, 99));
    ASSERT_TRUE(other) << other.error().message;
    auto const led = rollout(**other, walks_[0].instance, {.forced = forced_actions(walks_[0].actions())});
    ASSERT_TRUE(led) << led.error().message;
    EXPECT_TRUE(led->finished);
    EXPECT_EQ(led->actions(), walks_[0].actions());
    for (std::size_t step = 0; step < led->decisions.size(); ++step) {
        Decision const& decision = led->decisions[step];
        EXPECT_EQ(decision.forced, walks_[0].decisions[step].action);
        EXPECT_EQ(decision.state->features().front().values, walks_[0].decisions[step].state->features().front().values);
        EXPECT_EQ(decision.action, most_probable(decision.log_probs));
        auto const answer = answer_counterfactual(**other, *led, step, refined(with_shots(8)));
        ASSERT_TRUE(answer) << answer.error().message;
        if (answer->best() != nullptr) {
            EXPECT_NE(answer->best()->flip.new_action, decision.action);
        }
    }
    std::vector<std::size_t> wrong = walks_[0].actions();
    wrong.front() = 100'000;
    EXPECT_FALSE(rollout(**other, walks_[0].instance, {.forced = forced_actions(wrong)}));
}

} // namespace
} // namespace cax
