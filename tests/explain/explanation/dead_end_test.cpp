// Plans that break rules are explained, too: where the last solution was lost, or that there never was one.
#include "cax/explain/explanation.hpp"

#include "cax/problems/tsptw/instance.hpp"
#include "explained.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace cax {
namespace {

/// Customer 1 closes first, at once; the others have time until `close`.
InstancePtr one_in_a_hurry(float close) {
    auto instance = tsptw::Instance::make({.locs = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0.5F, 1}},
                                           .time_windows = {{0, 20}, {0, 1.05F}, {0, close}, {0, 10}, {0, 10}}});
    EXPECT_TRUE(instance) << instance.error().message;
    return *instance;
}

Explanation explained(InstancePtr const& instance, std::uint64_t seed) {
    auto const policy = make_policy(test::random_policy("tsptw", 16, 1, seed));
    EXPECT_TRUE(policy) << policy.error().message;
    ExplainOptions options;
    options.parts = ChosenParts::of<parts::Alternatives, parts::Story>();
    options.threads = 1;
    auto result = test::explained(**policy, instance, options);
    EXPECT_TRUE(result) << result.error().message;
    return *std::move(result);
}

bool says(std::vector<Sentence> const& sentences, std::string_view text) {
    return std::ranges::any_of(sentences,
                               [&](Sentence const& each) { return each.text.find(text) != std::string::npos; });
}

TEST(DeadEnds, AreTheDecisionAfterWhichNothingKeepsAllRules) {
    InstancePtr const instance = one_in_a_hurry(10);
    std::size_t lost = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        Explanation const found = explained(instance, seed);
        Alternatives const& first = *found.steps.front().of<parts::Alternatives>();
        for (std::size_t customer = 1; customer < 5; ++customer) {
            EXPECT_EQ(first.all[customer].impossible, customer != 1);
            EXPECT_EQ(first.all[customer].status == CostStatus::proved, customer == 1);
        }
        bool const late = found.actions.front() != 1;
        EXPECT_EQ(found.report.valid(), !late);
        EXPECT_EQ(says(found.story, "It is no solution: customer 1: arrival at"), late);
        EXPECT_EQ(says(found.story, "It was lost at step 1"), late);
        EXPECT_EQ(says(found.story, "A plan that keeps all rules has length"), late);
        EXPECT_EQ(says(found.steps.front().lines,
                       "Nothing that could follow it keeps all rules; if it were to visit customer 1"),
                  late);
        lost += late ? 1 : 0;
    }
    EXPECT_GT(lost, 0U);
}

TEST(DeadEnds, AreEverywhereWhereThereIsNoSolution) {
    Explanation const found = explained(one_in_a_hurry(1.05F), 3);
    EXPECT_FALSE(found.report.valid());
    EXPECT_FALSE(found.best_known);
    EXPECT_TRUE(says(found.story, "No plan keeps all rules."));
    EXPECT_TRUE(says(found.steps.front().lines, "Whatever it does from here, a rule will be broken."));
}

} // namespace
} // namespace cax
