// A problem that lacks capabilities is explained by what is left, and nothing else is made up.
#include "cax/explain/explanation.hpp"

#include "cax/problems/registry.hpp"
#include "explained.hpp"
#include "random_policy.hpp"
#include "variant_problems.hpp"

#include <gtest/gtest.h>

namespace cax {
namespace {

Result<Explanation> explained(Problem const& problem, void (*choose)(ExplainOptions&)) {
    Rng rng(1);
    auto const instance = problem.generate("7", {}, rng);
    auto const policy = make_policy(test::random_policy("cvrp", 16, 1, 2));
    EXPECT_TRUE(instance && policy);
    ExplainOptions options;
    options.parts = ChosenParts::of<parts::Story>();
    options.threads = 1;
    choose(options);
    return test::explained(**policy, *instance, options);
}

TEST(MissingCapabilities, LeaveTheStoryOfThePlan) {
    auto const bare = explained(test::bare_problem(), [](ExplainOptions&) {});
    auto const whole = explained(*find_problem("cvrp"), [](ExplainOptions&) {});
    ASSERT_TRUE(bare) << bare.error().message;
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(bare->actions, whole->actions);
    EXPECT_EQ(bare->report.cost, whole->report.cost);
    EXPECT_TRUE(bare->report.valid());
    EXPECT_FALSE(bare->story.empty());
    EXPECT_FALSE(bare->best_known);
}

TEST(MissingCapabilities, LeaveAttributionWithMultipliersOfOne) {
    auto const bare = explained(test::bare_problem(), [](ExplainOptions& options) {
        options.parts.set<parts::Attribution>();
        options.of<parts::Attribution>().multipliers.backend = Backend::proxy;
    });
    ASSERT_TRUE(bare) << bare.error().message;
    for (auto const& step : bare->steps) EXPECT_TRUE(step.of<parts::Attribution>());
}

TEST(MissingCapabilities, AreNoHeuristicsAndNoProvedAlternatives) {
    auto const bare =
        explained(test::bare_problem(), [](ExplainOptions& options) { options.parts.set<parts::Alternatives>().set<parts::Thumb>(); });
    ASSERT_TRUE(bare) << bare.error().message;
    for (auto const& step : bare->steps) {
        ASSERT_TRUE(step.of<parts::Alternatives>());
        for (auto const& each : step.of<parts::Alternatives>()->all) EXPECT_NE(each.status, CostStatus::proved);
    }
}

TEST(MissingCapabilities, AreRefusedByNameWhereAPartIsMadeOfThem) {
    auto const relaxation =
        explained(test::bare_problem(), [](ExplainOptions& options) { options.parts.set<parts::Attribution>(); });
    ASSERT_FALSE(relaxation);
    EXPECT_NE(relaxation.error().message.find("no linear relaxation for cvrp"), std::string::npos)
        << relaxation.error().message;
}

TEST(MissingCapabilities, LeaveEveryOtherPart) {
    using Choose = void (*)(ExplainOptions&);
    for (Choose const choose : {Choose([](ExplainOptions& options) { options.parts.set<parts::Counterfactual>(); }),
                                Choose([](ExplainOptions& options) { options.parts.set<parts::Subset>(); }),
                                Choose([](ExplainOptions& options) { options.parts.set<parts::Swap>(); }),
                                Choose([](ExplainOptions& options) { options.parts.set<parts::Sensitivity>(); }),
                                Choose([](ExplainOptions& options) { options.parts.set<parts::Forbidden>(); })}) {
        auto const bare = explained(test::bare_problem(), choose);
        ASSERT_TRUE(bare) << bare.error().message;
        EXPECT_FALSE(bare->steps.empty());
    }
}

} // namespace
} // namespace cax
