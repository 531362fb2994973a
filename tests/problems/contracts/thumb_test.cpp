#include "cax/problems/thumb.hpp"

#include "cax/problems/changes.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace cax {
namespace {

class RulesOfThumbOfProblems : public testing::TestWithParam<Problem const*> {};

TEST_P(RulesOfThumbOfProblems, ScoreWhatIsAllowedAndNothingElse) {
    auto const rules = rules_of_thumb(*GetParam());
    if (GetParam()->thumb() == nullptr) GTEST_SKIP() << "no rules of thumb";
    ASSERT_FALSE(rules.empty());
    std::set<std::string_view> names;
    for (ThumbRule const& rule : rules) {
        EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
        EXPECT_FALSE(rule.words.empty());
    }
    Rng rng(4);
    auto const instance = GetParam()->generate(GetParam()->info().size_hint == "N" ? "12" : "5x3", {}, rng);
    StatePtr const state = (*instance)->reset();
    while (!state->done()) {
        std::size_t taken = 0;
        for (std::size_t r = 0; r < rules.size(); ++r) {
            auto const scores = GetParam()->thumb()->thumb_scores(*state, r);
            ASSERT_EQ(scores.size(), state->action_mask().size());
            std::size_t opinions = 0;
            for (std::size_t a = 0; a < scores.size(); ++a) {
                EXPECT_FALSE(std::isnan(scores[a])) << rules[r].name;
                if (!std::isfinite(scores[a])) continue;
                EXPECT_NE(state->action_mask()[a], 0) << rules[r].name;
                ++opinions;
                taken = a;
            }
            EXPECT_GT(opinions, 0U) << rules[r].name;
        }
        state->step(taken);
    }
}

TEST_P(RulesOfThumbOfProblems, NearestIsNearest) {
    auto const* changes = GetParam()->changes();
    if (changes == nullptr || !changes->place_tensor()) GTEST_SKIP() << "no places";
    Rng rng(5);
    auto const instance = GetParam()->generate("12", {}, rng);
    StatePtr const state = (*instance)->reset();
    auto const rules = rules_of_thumb(*GetParam());
    if (rules.empty()) GTEST_SKIP() << "no rules of thumb";
    ASSERT_EQ(rules.front().name, "nearest");
    std::size_t const here = 3;
    ASSERT_NE(state->action_mask()[here], 0);
    state->step(here);
    auto const scores = GetParam()->thumb()->thumb_scores(*state, 0);
    auto const places = state->features()[0].values;
    for (std::size_t a = 1; a < scores.size(); ++a) {
        if (!std::isfinite(scores[a])) continue;
        double const x = places[2 * a] - places[2 * here], y = places[2 * a + 1] - places[2 * here + 1];
        EXPECT_NEAR(scores[a], std::hypot(x, y), 1e-3);
    }
}

TEST_P(RulesOfThumbOfProblems, FromTheDepotNoCustomerSavesMoreThanAnother) {
    auto const rules = rules_of_thumb(*GetParam());
    auto const rule = std::ranges::find(rules, "savings", &ThumbRule::name);
    if (rule == rules.end()) GTEST_SKIP() << "no savings";
    Rng rng(6);
    auto const instance = GetParam()->generate("12", {}, rng);
    auto const scores =
        GetParam()->thumb()->thumb_scores(*(*instance)->reset(), static_cast<std::size_t>(rule - rules.begin()));
    for (double const score : scores) {
        if (!std::isfinite(score)) continue; // the depot
        EXPECT_NEAR(score, 0, 1e-9);
    }
}

INSTANTIATE_TEST_SUITE_P(Problems, RulesOfThumbOfProblems,
                         testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& problem) { return std::string(problem.param->info().name); });

} // namespace
} // namespace cax
